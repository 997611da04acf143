import { ALL_CHAINS, type ChainEntry } from '../catalogue/chains.ts'
import { CHAIN_FIELDS, type Field, TOKEN_FIELDS } from './config-fields.ts'
import { SETTINGS, type Setting } from './config-settings.ts'

const EXAMPLE_CHAIN = 'eip155:11155111'

/** A configuration file with every key: settings at their defaults, one chain and one token. */
export function configExample(): string {
  const settings = Object.entries(SETTINGS).map(([name, one]) => [name, one.default])
  const example = {
    ...Object.fromEntries(settings),
    chains: { [EXAMPLE_CHAIN]: exampleOf(CHAIN_FIELDS) },
    tokens: [exampleOf(TOKEN_FIELDS)],
  }
  return `${JSON.stringify(example, null, 2).replaceAll(PLAIN_LIST, inOneLine)}\n`
}

/** A list of texts over several lines, which the formatter wants on one line. */
const PLAIN_LIST = /\[\s+("[^[\]{}]*?)\s+\]/g

function inOneLine(_list: string, items: string): string {
  return `[${items.replaceAll(/,\s+/g, ', ')}]`
}

function exampleOf(fields: Record<string, Field<unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]): [string, unknown] => [
      name,
      isShown(name) ? JSON.parse(one.example) : one.default,
    ]),
  )
}

/** Whether the example sets a field; it shows the defaults of the others. */
function isShown(name: string): boolean {
  return ['nodes', 'confirmations', 'id', 'name', 'symbol', 'decimals', 'minimumAmount'].includes(
    name,
  )
}

/** Notes on the settings of chains. */
const ABOUT_NODES: readonly string[] = [
  'A node is a URL, or an object with `url` and `headers` if it needs an API key.',
  '',
  '**Private networks** use the id of the test network of their family:',
  '',
  '| family | requirement |',
  '|---|---|',
  '| EVM | its nodes return the chain id of the test network (`anvil --chain-id 11155111`) |',
  '| Bitcoin | regtest, testnet4 and signet have their own ids; a custom signet uses the ' +
    'id of signet, because all signets have the same first block |',
  '| TRON | `genesis` is the id of one of its blocks; a node with another block at that ' +
    'height serves another chain |',
  '| XRP Ledger | its `network_id` is 1 |',
  '',
  '**EVM: traces.** With `traces` at `auto` the service detects the trace method of each node. A',
  'block that may move native coins in internal calls waits up to ten minutes for a node that',
  'traces, and is then read without traces. The service logs an error, queries the nodes every',
  'five',
  'minutes, and logs the blocks to read again with',
  '`sluice chain rescan <chain> --from <height> --to <height>` when a node traces. If no node',
  'traces, set `off` to avoid the wait.',
  '',
  'Blocks that a node refuses to trace also wait ten minutes and are logged. A node without an',
  'archive has the state of about 128 blocks, so after a longer downtime you need an archive node',
  'to rescan these blocks with traces; a rescan never reads without traces. A block with traces',
  'that are too long or too slow is traced transaction by transaction. Anyone can create',
  'such blocks; together they delay the chain for at most ten minutes plus a sixth of the',
  'following',
  'time. If `traces` names a method, every block is read with traces, and the chain waits for a',
  'node.',
  '',
  '**Bitcoin.** Put the user and password into the URL, or add `cookieFile`, the absolute path of',
  "the node's `.cookie`. The node must not be pruned and must be synchronized; it needs no wallet",
  'and no index. With `-rest=1` blocks are read by REST, which is faster. `addressType` applies to',
  'new accounts: existing accounts keep their address, and payments spend both types together.',
  'With `p2tr` the service also reads the outputs spent by transactions without a visible key.',
  '',
  '**TRON.** Add `solidity` if the solidity interface of a node has its own URL. Nodes must store',
  'internal transactions (`vm.saveInternalTx = true`, not the default), otherwise TRX paid by',
  'contracts is not detected. A lite node without the first block is identified by a stored block',
  'after the first contact, and before that, on the main network only, by its p2p version.',
  '',
  '**XRP Ledger.** Nodes (rippled or Clio) are queried by JSON-RPC over HTTP. Add `ws` to read',
  'each',
  'ledger as soon as it is validated. A main network node without `network_id` must support',
  '`ledger_entry`; nodes of other networks must report `network_id`. From untagged payments of an',
  'organization to its base account before the account is ready, the service keeps the reserve of',
  'the account, of its `tickets` and of one more object for fees; the rest can be withdrawn.',
]

/** Notes on the table of the catalogue. */
const ABOUT_CATALOGUE: readonly string[] = [
  'On chains settled by a final block, `confirmations` apply only while no node reports a final',
  'block (`chain.finality_unknown`).',
]

const ABOUT_TOKENS: readonly string[] = [
  'Additional tokens are listed in the file only, under `tokens`. An entry for a token of the',
  'catalogue changes its name and limits and enables it for every organization that has not',
  'disabled it ([what is offered](operations.md#what-is-offered)). A token is enabled when its',
  'contract reports the same symbol and decimals.',
]

const SETTLED_BY: Readonly<Record<ChainEntry['finality'], string>> = {
  final: 'a final block',
  'depth-or-final': '`confirmations` or a final block, whichever is first',
  depth: '`confirmations`',
}

function catalogueTable(): string[] {
  const rows = ALL_CHAINS.map(({ id, name, confirmations, finality, ...one }) => {
    const feeCap = `${wholeUnits(one.feeCap, one.decimals)} ${one.nativeCurrency}`
    const cells = [`\`${id}\``, name, String(confirmations), SETTLED_BY[finality]]
    return `| ${[...cells, `\`"${one.feeCap}"\` (${feeCap})`].join(' | ')} |`
  })
  const head = '| chain | name | `confirmations` | settled by | `feeCap` |'
  return [head, '|---|---|---|---|---|', ...rows]
}

function wholeUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

const ABOUT_SOURCES: readonly string[] = [
  'Sluice reads its settings from environment variables and from a JSON file: the file named by',
  '`SLUICE_CONFIG`, or `sluice.config.json` in the current folder if it exists. A variable',
  'overrides the file, and the file overrides the default. Empty variables and `null` settings in',
  'the file are ignored; omit unused keys of chains and tokens. A secret can be stored in a file,',
  'named by the variable with the suffix `_FILE`. Relative paths start at the current folder.',
  '',
  'The service reports all errors of the configuration at startup and refuses unknown names.',
  '`sluice config print` shows the effective values and their sources. `sluice config example`',
  'prints a file with every key (`config.example.json` in the repository).',
]

/** The reference page of the configuration, in Markdown. */
export function configPage(): string {
  const settings: [string, Setting<unknown>][] = Object.entries(SETTINGS)
  const lines = [
    '# Configuration',
    '',
    ...ABOUT_SOURCES,
    '',
    '## Settings',
    '',
    ...settings.flatMap(([name, one]) => settingLines(name, one)),
    '## Chains',
    '',
    'Chains are configured in the file only, under `chains`, by CAIP-2 id. `sluice chain list`',
    'shows all ids.',
    '',
    ...fieldTable(CHAIN_FIELDS),
    '',
    ...ABOUT_NODES,
    '',
    '### Defaults of the catalogue',
    '',
    ...ABOUT_CATALOGUE,
    '',
    ...catalogueTable(),
    '',
    '## Tokens',
    '',
    ...ABOUT_TOKENS,
    '',
    ...fieldTable(TOKEN_FIELDS),
    '',
    '## What production refuses',
    '',
    'With `SLUICE_ENV=production`, the default, the service does not start',
    '',
    `- until \`${SETTINGS.apiKeyMayConfigure.env}\` is set, to \`true\` or \`false\`;`,
    '- with a development setting: ' +
      [
        SETTINGS.webhookAllowPrivate,
        SETTINGS.webhookAllowHttp,
        SETTINGS.webhookDevOrigins,
        SETTINGS.testCodesUrl,
        SETTINGS.crashAt,
      ]
        .map(({ env }) => `\`${env}\``)
        .join(', ') +
      ';',
    '- with `confirmations` of 0 on any chain.',
  ]
  return `${lines.join('\n')}\n`
}

function settingLines(name: string, { env, doc, example, secret, ...one }: Setting<unknown>) {
  const initial = secret === true || one.default === '' ? 'empty' : shown(one.default)
  const twin = secret === true ? `, or \`${env}_FILE\`` : ''
  return [
    `### \`${name}\``,
    '',
    doc,
    '',
    `- Variable: \`${env}\`${twin}`,
    `- Default: ${initial}`,
    `- Example: \`${example}\``,
    '',
  ]
}

function shown(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : `\`${value.join(',')}\``
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function fieldTable(fields: Record<string, Field<unknown>>): string[] {
  const rows = Object.entries(fields).map(([name, one]) => {
    const initial = 'default' in one ? `\`${JSON.stringify(one.default)}\`` : 'must be given'
    return `| \`${name}\` | ${one.doc} | ${initial} | \`${one.example}\` |`
  })
  return ['| key | meaning | default | example |', '|---|---|---|---|', ...rows]
}
