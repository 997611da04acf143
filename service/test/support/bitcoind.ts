import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The program that `tools/get-bitcoind.sh` brings, or the one that the environment names. */
export const bitcoind =
  process.env['SLUICE_BITCOIND'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice', 'bitcoind', 'bitcoind')

/** Null if a real node is installed; otherwise the reason why its tests are skipped. */
export const whyNoBitcoind = existsSync(bitcoind)
  ? null
  : `(skipped: no bitcoind at ${bitcoind}; tools/get-bitcoind.sh brings it)`
