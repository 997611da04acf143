#!/bin/sh
# Runs once in the database's container, before anybody else connects: makes the three logins of
# Sluice and its database. The superuser's password stays in the container.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set owner="$(cat /run/secrets/database_owner)" \
  --set engine="$(cat /run/secrets/database_engine)" \
  --set api="$(cat /run/secrets/database_api)" <<'SQL'
create role sluice_owner login password :'owner';
create role sluice_engine login password :'engine';
create role sluice_api login password :'api';
create database sluice owner sluice_owner;
SQL
