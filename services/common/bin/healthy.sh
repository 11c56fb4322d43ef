#!/bin/bash
# For the health check of the images. They have no curl, and starting node every few seconds would cost more than a
# service at rest does.
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-8080}" || exit 1
printf 'GET /health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r _ status _ <&3
[[ $status == 200 ]]
