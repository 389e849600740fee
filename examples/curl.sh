#!/bin/sh
# The first calls, with nothing but curl.
#
#   sh examples/curl.sh      where the service was started; elsewhere with BROWSERD_URL and BROWSERD_API_KEY
set -eu
URL=${BROWSERD_URL:-http://127.0.0.1:8787}
KEY=${BROWSERD_API_KEY:-$(cat .browserd/admin-key)}
call() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" "$@"; }

# create: answers when the browser is ready; with the same Idempotency-Key it could be sent again without harm
ID=$(call -X POST "$URL/v1/browsers" -H "Idempotency-Key: create-$$-$(date +%s)" -H 'Content-Type: application/json' \
  -d '{"name": "first"}' | sed 's/.*"id":"\(browser_[^"]*\)".*/\1/')
echo "created $ID"

# run Playwright code on it, and see what it did to the page
call -X POST "$URL/v1/browsers/$ID/script/execute" -H 'Content-Type: application/json' -d '{
  "code": "await page.setContent(`<h1>Hello</h1><button>Go</button>`); return page.locator(\"h1\").textContent()",
  "capture": {"observation": {"kind": "aria", "includeOn": "always"}}}'
echo

# look: its tabs, without disturbing the page
call "$URL/v1/browsers/$ID/status"
echo

# close: the receipt says what was ended
call -X DELETE "$URL/v1/browsers/$ID" -H "Idempotency-Key: close-$ID"
echo
