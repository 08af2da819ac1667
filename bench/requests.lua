-- Run by bench/load.ts as `wrk -s requests.lua URL -- KEY METHOD PATHS FROM [BODY]`: asks for the lines of the file
-- PATHS in turn. `{n}` in the body becomes another number with every request, counted from FROM.
local method, body, number
local paths, requests = {}, {}
local last

function init(args)
  method, number, body = args[2], tonumber(args[4]), args[5]
  wrk.headers['Authorization'] = 'Bearer ' .. args[1]
  if body then wrk.headers['Content-Type'] = 'application/json' end
  for path in io.lines(args[3]) do
    paths[#paths + 1] = wrk.path .. path
    requests[#paths] = wrk.format(method, paths[#paths])
  end
  -- wrk asks for one request that it only looks at; the one after it shall be the first.
  last = #paths - 1
end

function request()
  last = last % #paths + 1
  if not body then return requests[last] end
  number = number + 1
  local text = body:gsub('{n}', string.format('%d', number))
  return wrk.format(method, paths[last], nil, text)
end

function done(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format('{"requests":%d,"failed":%d,"duration":%d}',
    summary.requests, failed, summary.duration))
end
