-- Arguments: the most rows, and the most bytes of one.
local rows = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if #rows < tonumber(ARGV[1]) and redis.call('HSTRLEN', KEYS[1], field) <= tonumber(ARGV[2]) then
        rows[#rows + 1] = redis.call('HGET', KEYS[1], field)
    end
end
return rows
