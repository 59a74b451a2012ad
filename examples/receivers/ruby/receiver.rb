# Receives Zimbo's webhooks. Ruby 3.1 or later, with WEBrick: gem install webrick.
#
#     ZIMBO_WEBHOOK_SECRET=whsec_… ZIMBO_API_KEY=sk_test_… ruby receiver.rb
require "fileutils"
require "json"
require "net/http"
require "openssl"
require "pathname"
require "webrick"

SECRET, API_KEY = %w[ZIMBO_WEBHOOK_SECRET ZIMBO_API_KEY].map do |name|
  ENV.fetch(name, "").tap { |value| abort "#{name} is not set" if value.empty? }
end
API_URL = ENV.fetch("ZIMBO_URL", "http://127.0.0.1:3000")
PORT = Integer(ENV.fetch("PORT", "4400"))
FOLDER = Pathname(ENV.fetch("RECEIVER_FOLDER", "received"))
INBOX, DONE, STATUSES = %w[inbox done statuses].map { |name| FOLDER / name }

MAX_BYTES = 4 * 1024 * 1024
MAX_AGE_SECONDS = 300
RESOURCES = { "payment" => "payments", "refund" => "refunds", "checkout" => "checkout/sessions" }

# The signature covers the time and the raw bytes. During a rotation, two secrets sign.
def genuine?(request, body)
  timestamp = request["X-Service-Timestamp"].to_s
  expected = OpenSSL::HMAC.hexdigest("SHA256", SECRET, "#{timestamp}.".b + body)
  given = [request["X-Service-Signature"], request["X-Service-Signature-Next"]]
  signed = given.any? { |each| OpenSSL.secure_compare(expected, each.to_s) }
  signed && (Time.now.to_i - Integer(timestamp, 10)).abs <= MAX_AGE_SECONDS
end

def receive(request)
  return 405 unless request.request_method == "POST"

  body = "".b
  request.body do |chunk|
    body << chunk
    return 413 if body.bytesize > MAX_BYTES
  end
  return 400 unless genuine?(request, body)

  store(JSON.parse(body)["id"], body)
  200
end

# Zimbo does not send an event again once we have answered 200, so it is on the disk before.
def store(event_id, body)
  write(INBOX / event_id, body) unless (DONE / event_id).exist?
end

# Writes all of the file or nothing, and waits for the disk.
def write(path, content)
  temporary = FOLDER / "#{path.basename}.#{Thread.current.object_id}"
  File.open(temporary, "wb") do |file|
    file.write(content)
    file.fsync
  end
  temporary.rename(path)
end

# Handles what is in the inbox. An event that fails stays there and is tried again.
def work
  INBOX.children.sort.each do |file|
    handle(JSON.parse(file.binread))
    FileUtils.touch(DONE / file.basename)
    file.unlink
  rescue StandardError => error
    warn "#{file.basename}: #{error.message}"
  end
end

# An event only says that something has changed. The API says how things stand now, so the order in
# which events arrive does not matter.
def handle(event)
  resource = RESOURCES[event["type"].split(".").first] or return
  url = URI("#{API_URL}/v1/#{resource}/#{event["data"]["id"]}")
  http = { use_ssl: url.scheme == "https", open_timeout: 10, read_timeout: 10 }
  answer = Net::HTTP.start(url.host, url.port, **http) do |connection|
    connection.get(url.path, "Authorization" => "Bearer #{API_KEY}")
  end
  update(JSON.parse(answer.tap(&:value).body))
end

# Your part: find the order by current["externalId"] and change it, in one transaction.
def update(current)
  file = STATUSES / current["id"]
  return if file.exist? && file.read == current["status"]

  puts "#{current["id"]} #{current["status"]}"
  write(file, current["status"])
end

$stdout.sync = true
FileUtils.mkdir_p([INBOX, DONE, STATUSES])
log = WEBrick::Log.new($stderr, WEBrick::Log::WARN)
server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: PORT, RequestTimeout: 15, Logger: log, AccessLog: [])
server.mount_proc("/") { |request, response| response.status = receive(request) }
Thread.new { server.start }
loop do
  work
  sleep 1
end
