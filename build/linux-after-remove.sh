#!/bin/bash
rm -f /usr/bin/siku '/usr/bin/${executable}'
