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

/** A list of texts over several lines; the formatter wants it on one. */
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

/** What an example needs to say something; of the rest it shows the defaults. */
function isShown(name: string): boolean {
  return ['nodes', 'confirmations', 'id', 'name', 'symbol', 'decimals', 'minimumAmount'].includes(
    name,
  )
}

/** What is told of nodes, family by family. */
const ABOUT_NODES: readonly string[] = [
  'A node may be an address, or an object with `url` and `headers` where it wants a key; for',
  'TRON with `solidity` too, where the interface of solid blocks has an address of its own. Nodes',
  'of TRON must keep internal transactions (`vm.saveInternalTx = true` in their configuration,',
  'which is not the default): without these what contracts pay out in TRX is not seen.',
  'Nodes of the XRP Ledger, rippled or Clio, are asked by their JSON-RPC over HTTP; one that has a',
  '`ws` beside the `url` is listened to as well, so that a ledger is looked at as soon as it is',
  'validated. A node of the main network that names no `network_id` must answer `ledger_entry`,',
  'which proves whose it is; of any other network it must name it. Of what an organization pays to',
  'its XRPL base account without a tag, before the account is ready, so much is kept apart as the',
  'ledger asks for (the reserve, that of each of its `tickets`, and as much as one more takes, for',
  'fees); the rest can be withdrawn.',
  'A private network stands in for the test network of its family. EVM: its nodes answer the',
  'chain id of the test network (`anvil --chain-id 11155111`). Bitcoin: regtest, testnet4 and',
  'signet have ids of their own; every signet begins with the same block, so a custom one is',
  'served under the id of signet. XRP Ledger: its `network_id` is 1. TRON: `genesis` names one of',
  'its blocks by id, which holds the height; a node with another block there serves another chain.',
  'A TRON node that lacks the first block (a lite node that answers history queries) is known by a',
  'stored block once the chain was contacted, and on the main network by the version of its',
  'network protocol before.',
  'With `traces` at `auto` the nodes of an EVM chain are asked which way they have. A node that',
  'is away may be the only one that traces: blocks that may move coins inside wait for its',
  'answer, ten minutes at most, and are then read without traces. The log says so as an error,',
  'the nodes are asked again every five minutes, and once one traces the log names the blocks',
  'to read again with `sluice chain rescan <chain> --from <height> --to <height>`. If no node',
  'traces, `off` waits for none.',
  'Blocks that a node refuses to trace although it traces others wait ten minutes as well, and are',
  'named in the same way: a node that is not an archive has the states of some 128 blocks only,',
  'so after a longer downtime an archive node must be there to read them again with traces: a',
  'rescan never reads without. A block whose traces are too long, or too late, is traced',
  'transaction by transaction; what cannot be had so either is waited for too, but as anybody can',
  'make such blocks, all together hold the chain up for ten minutes and a sixth of the time',
  'thereafter. Where `traces` names a way, no block is ever read without, and the chain waits for',
  'such a node.',
  'The `addressType` of a Bitcoin chain is for accounts that are opened from now on: each that',
  'stands keeps its address, and payments spend deposits of both types together. With `p2tr` the',
  'node is asked, for each block, what transactions without a visible key have spent.',
  'Nodes of Bitcoin take a user and password in the address, or a `cookieFile` beside the `url`:',
  'the absolute path of the `.cookie` that Core writes anew at each start. The node must have all',
  'blocks (not pruned) and have come to their end; it needs no wallet and no index. Where it runs',
  'with `-rest=1` blocks are read from there, which is less work for both.',
]

/** What is told before the table of the catalogue. */
const ABOUT_CATALOGUE: readonly string[] = [
  'Where a final block settles, `confirmations` count only while no node of the chain names one',
  '(`chain.finality_unknown`): to raise them changes nothing else there.',
]

const ABOUT_TOKENS: readonly string[] = [
  'Tokens beside those of the catalogue stand in the file only, in the list `tokens`. Naming one',
  'of the catalogue changes its name and its limits, and switches it on for every organization',
  'that has not switched it off ([what is offered](operations.md#what-is-offered)). A token is',
  'offered once its contract has said the same symbol and decimals.',
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

/** The reference page of the configuration, in Markdown. */
export function configPage(): string {
  const settings: [string, Setting<unknown>][] = Object.entries(SETTINGS)
  const lines = [
    '# Configuration',
    '',
    'Sluice reads its settings from variables and from a JSON file: the one that `SLUICE_CONFIG`',
    'names, or `sluice.config.json` in the working folder where it exists. A variable wins over',
    'the file, and the file over the default. An empty variable counts as not given, and so does a',
    'setting that is `null` in the file; keys of chains and tokens are left out instead. Secrets',
    'may also be put in a file of their own, which the variable with `_FILE` behind its name',
    'points to. Relative paths are taken from the working folder.',
    '',
    'Everything that is wrong is told at once, at start. A name that does not exist is refused.',
    '`sluice config print` shows what is in force and where each value comes from.',
    '`sluice config example` prints a file with every key, the `config.example.json` of the',
    'repository.',
    '',
    '## Settings',
    '',
    ...settings.flatMap(([name, one]) => settingLines(name, one)),
    '## Chains',
    '',
    'Chains stand in the file only, under `chains`, by their CAIP-2 ids. `sluice chain list` shows',
    'the ids there are.',
    '',
    ...fieldTable(CHAIN_FIELDS),
    '',
    ...ABOUT_NODES,
    '',
    '### What the catalogue says',
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
    'With `SLUICE_ENV=production`, which is the default, the service does not start',
    '',
    `- until \`${SETTINGS.apiKeyMayConfigure.env}\` is set, to \`true\` or \`false\`;`,
    '- with a setting of development: ' +
      [
        SETTINGS.webhookAllowPrivate,
        SETTINGS.webhookAllowHttp,
        SETTINGS.webhookDevOrigins,
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
