import { readFileSync } from 'node:fs'
import { Command } from 'commander'

const EXAMPLES = `
Examples:
  $ sluice keys init                          make the seed and the service key
  $ sluice org create --name "Acme"           an organization and its API key
  $ sluice user create --org <id> --username alice --role admin
  $ sluice serve                              run the service
  $ sluice doctor                             check database, keys, nodes and tokens
  $ sluice chain rescan <chain> --from 100 --to 200
  $ sluice deposit trace <transaction>        why a deposit is credited or not

Every command takes --json. It reads SLUICE_CONFIG, or sluice.config.json where it stands.
Exit codes: 0 done, 1 unexpected error, 2 wrong usage or configuration, 3 unhealthy or
unreachable, 4 refused (docs/operations.md).`

type Load = (version: string) => Promise<Command>

/** Each command with what it is; its file is read when it is asked for, so that help is quick. */
export const COMMANDS: Record<string, [description: string, load: Load]> = {
  serve: ['run the service', async (version) => (await import('./serve.ts')).serveCommand(version)],
  migrate: [
    'bring the database to the schema of this version',
    async () => (await import('./migrate.ts')).migrateCommand(),
  ],
  keys: ['the seed and the service key', async () => (await import('./keys.ts')).keysCommands()],
  org: ['organizations', async () => (await import('./org.ts')).orgCommands()],
  user: ['people of an organization', async () => (await import('./user.ts')).userCommands()],
  'api-key': [
    "an organization's API key",
    async () => (await import('./api-key.ts')).apiKeyCommands(),
  ],
  chain: [
    'where the chains stand, and what an operator may do to them',
    async () => (await import('./chain.ts')).chainCommands(),
  ],
  token: [
    'what is money here, and whether its contracts agree',
    async () => (await import('./token.ts')).tokenCommands(),
  ],
  deposit: [
    "what came in, and an operator's hand on it",
    async () => (await import('./deposit.ts')).depositCommands(),
  ],
  withdrawal: [
    'what goes out, and what became of it',
    async () => (await import('./withdrawal.ts')).withdrawalCommands(),
  ],
  event: [
    'what organizations were told, and whether it arrived',
    async () => (await import('./event.ts')).eventCommands(),
  ],
  sender: [
    'addresses that sign, and which of them are halted',
    async () => (await import('./sender.ts')).senderCommands(),
  ],
  spend: [
    'transactions of our own that can never be included',
    async () => (await import('./spend.ts')).spendCommands(),
  ],
  gas: [
    "organizations' own addresses, and what pays their fees",
    async () => (await import('./gas.ts')).gasCommands(),
  ],
  xrpl: [
    'the accounts that all users share on the XRP Ledger',
    async () => (await import('./xrpl.ts')).xrplCommands(),
  ],
  alert: ['what an operator must know', async () => (await import('./alert.ts')).alertCommands()],
  'audit-log': [
    'who changed what',
    async () => (await import('./audit-log.ts')).auditLogCommands(),
  ],
  audit: [
    'compare all balances with the postings and with the chains',
    async () => (await import('./audit.ts')).auditCommand(),
  ],
  backup: [
    'write everything but the keys into a file',
    async (version) => (await import('./backup.ts')).backupCommand(version),
  ],
  restore: [
    'put a backup into a new database',
    async () => (await import('./restore.ts')).restoreCommand(),
  ],
  doctor: [
    'check the database, the keys, the nodes and the tokens',
    async () => (await import('./doctor.ts')).doctorCommand(),
  ],
  config: [
    'the configuration in force, and an example of one',
    async () => (await import('./config.ts')).configCommands(),
  ],
}

/** The program's version, as its package says it. */
function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const parsed: unknown = JSON.parse(text)
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed && parsed.version
  return typeof version === 'string' ? version : 'unknown'
}

/**
 * The command line. Only the commands that a line names are loaded, with all that belongs to them.
 */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const version = readVersion()
  const program = new Command('sluice')
    .description('Takes crypto deposits of your users, pays withdrawals, and tells you of both.')
    .version(version)
    .option('--json', 'print machine-readable JSON')
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const isAsked = args.includes(name) || args.includes(`${name}s`)
    const command = isAsked ? await load(version) : new Command(name)
    program.addCommand(command.description(description))
  }
  return obeyHouse(program)
}

/** Wrong usage is thrown to us, for the exit code, wherever in the tree it is found. */
function obeyHouse(command: Command): Command {
  command.exitOverride().showHelpAfterError(`(${pathOf(command)} --help tells more)`)
  for (const child of command.commands) obeyHouse(child)
  return command
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
