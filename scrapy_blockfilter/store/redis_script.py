"""The script by which a Redis server exchanges pages of a site. It holds no data: all of that is in its arguments."""

from __future__ import annotations

# Arguments: the site's name, K, seconds to live, the number of pages; then each page as member, value and digest of the
# value that it replaces; then the members that the caller has. The answer has each member, and the values of others.
EXCHANGE = """
local pages, values = KEYS[1], KEYS[2]
local count, at = tonumber(ARGV[4]), 5
local known, differs = {}, {}
for _ = 1, count do
    local page, value = ARGV[at], ARGV[at + 1]
    local stored = redis.call('HGET', values, page)
    if not stored or redis.sha1hex(stored) == ARGV[at + 2] then
        redis.call('HSET', values, page, value)
        redis.call('ZADD', pages, 0, page)
    elseif stored ~= value then
        differs[page] = true
    end
    at = at + 3
end
local most = math.max(tonumber(ARGV[2]), tonumber(redis.call('HGET', values, 'most') or 0))
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
for _, page in ipairs(redis.call('ZRANGE', pages, 0, -1)) do
    answer[#answer + 1] = page
    if known[page] then
        answer[#answer + 1] = false
    else
        answer[#answer + 1] = redis.call('HGET', values, page)
    end
end
return answer
"""
