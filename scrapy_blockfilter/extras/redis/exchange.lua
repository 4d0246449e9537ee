-- Arguments: the site's name, K, seconds to live, the most bytes of a value, the most K, the number of pages; then each
-- page as member, value and digest of the value that it replaces; then the members that the caller has. The answer has
-- each member, and the values of others; for a value that is too large its size, and for a member of another form "".
local pages, values = KEYS[1], KEYS[2]
local count, at = tonumber(ARGV[6]), 7
local function read(field, bound)
    local size = redis.call('HSTRLEN', values, field)
    return size > bound and size or redis.call('HGET', values, field)
end
local known, differs = {}, {}
for _ = 1, count do
    local page, value = ARGV[at], ARGV[at + 1]
    local stored = read(page, tonumber(ARGV[4]))
    if not stored or redis.sha1hex(stored) == ARGV[at + 2] then
        redis.call('HSET', values, page, value)
        redis.call('ZADD', pages, 0, page)
    elseif stored ~= value then
        differs[page] = true
    end
    at = at + 3
end
local most = math.max(tonumber(ARGV[2]), math.min(tonumber(ARGV[5]), tonumber(read('most', 20) or 0)))
if count > 0 then
    redis.call('HSET', values, 'site', ARGV[1], 'most', most)
    for _, page in ipairs(redis.call('ZRANGE', pages, most, -1)) do
        redis.call('HDEL', values, page)
    end
    redis.call('ZREMRANGEBYRANK', pages, most, -1)
end
redis.call('EXPIRE', pages, ARGV[3])
redis.call('EXPIRE', values, ARGV[3])
for i = at, #ARGV do
    known[ARGV[i]] = not differs[ARGV[i]]
end
local answer = {most}
for _, page in ipairs(redis.call('ZRANGE', pages, 0, most - 1)) do
    answer[#answer + 1] = #page == 8 and page or ''
    if known[page] then
        answer[#answer + 1] = false
    else
        answer[#answer + 1] = read(page, tonumber(ARGV[4]))
    end
end
return answer
