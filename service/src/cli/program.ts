import { readFileSync } from 'node:fs'
import { Command } from 'commander'

const EXAMPLES = `
Examples:
  $ sluice keys init                          create the seed and the service key
  $ sluice org create --name "Acme"           create an organization and its API key
  $ sluice user invite-admin --org <id> --username alice
  $ sluice serve                              run the service
  $ sluice doctor                             check the database, keys, nodes and tokens
  $ sluice chain rescan <chain> --from 100 --to 200
  $ sluice deposit trace <transaction>        explain why a deposit is credited or not

Every command accepts --json and reads the configuration from SLUICE_CONFIG, or from
sluice.config.json in the current folder.
Exit codes: 0 done, 1 unexpected error, 2 wrong usage or configuration, 3 unhealthy or
unreachable, 4 refused (docs/operations.md).`

type Load = (version: string) => Promise<Command>

/** Each command with its description. Its file is loaded on use, so that help is fast. */
export const COMMANDS: Record<string, [description: string, load: Load]> = {
  serve: ['run the service', async (version) => (await import('./serve.ts')).serveCommand(version)],
  signer: [
    'open the seed and sign for the service',
    async () => (await import('./signer.ts')).signerCommand(),
  ],
  migrate: [
    'migrate the database to the schema of this version',
    async () => (await import('./migrate.ts')).migrateCommand(),
  ],
  keys: [
    'create and recover the seed and the service key',
    async () => (await import('./keys.ts')).keysCommands(),
  ],
  org: [
    'create, list and configure organizations',
    async () => (await import('./org.ts')).orgCommands(),
  ],
  user: ['manage users of an organization', async () => (await import('./user.ts')).userCommands()],
  'api-key': [
    "rotate an organization's API key",
    async () => (await import('./api-key.ts')).apiKeyCommands(),
  ],
  chain: [
    'list, enable, resume and rescan chains',
    async () => (await import('./chain.ts')).chainCommands(),
  ],
  token: [
    'list, enable and resume tokens',
    async () => (await import('./token.ts')).tokenCommands(),
  ],
  deposit: [
    'list, trace, hold, release and assign deposits',
    async () => (await import('./deposit.ts')).depositCommands(),
  ],
  withdrawal: [
    'list and show withdrawals',
    async () => (await import('./withdrawal.ts')).withdrawalCommands(),
  ],
  event: [
    'list, show and redeliver events',
    async () => (await import('./event.ts')).eventCommands(),
  ],
  webhook: [
    'list, test, pause and resume webhook endpoints',
    async () => (await import('./webhook.ts')).webhookCommands(),
  ],
  sender: [
    'list senders and resume halted ones',
    async () => (await import('./sender.ts')).senderCommands(),
  ],
  spend: [
    'give up transactions that can never be included',
    async () => (await import('./spend.ts')).spendCommands(),
  ],
  gas: [
    'list and reconcile settlement addresses and gas wallets',
    async () => (await import('./gas.ts')).gasCommands(),
  ],
  xrpl: [
    'set up base accounts on the XRP Ledger',
    async () => (await import('./xrpl.ts')).xrplCommands(),
  ],
  alert: ['list and close alerts', async () => (await import('./alert.ts')).alertCommands()],
  'audit-log': [
    'list, verify and accept the audit log',
    async () => (await import('./audit-log.ts')).auditLogCommands(),
  ],
  audit: [
    'compare all balances with postings and chains',
    async () => (await import('./audit.ts')).auditCommand(),
  ],
  backup: [
    'write everything except the keys to a file',
    async (version) => (await import('./backup.ts')).backupCommand(version),
  ],
  restore: [
    'restore a backup into a new database',
    async () => (await import('./restore.ts')).restoreCommand(),
  ],
  doctor: [
    'check the database, keys, nodes and tokens',
    async () => (await import('./doctor.ts')).doctorCommand(),
  ],
  config: [
    'print the configuration, an example and the reference',
    async () => (await import('./config.ts')).configCommands(),
  ],
}

/** Reads the program's version from its package. */
function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const parsed: unknown = JSON.parse(text)
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed && parsed.version
  return typeof version === 'string' ? version : 'unknown'
}

/** Builds the command line; loads only the commands that `args` names. */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const version = readVersion()
  const program = new Command('sluice')
    .description('Accepts crypto deposits, sends withdrawals, and notifies your servers.')
    .version(version)
    .option('--json', 'print machine-readable JSON')
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const isAsked = args.includes(name) || args.includes(`${name}s`)
    const command = isAsked ? await load(version) : new Command(name)
    program.addCommand(command.description(description))
  }
  return handleErrors(program)
}

/** Makes every command throw wrong usage, so that `fail` sets the exit code. */
function handleErrors(command: Command): Command {
  command.exitOverride().showHelpAfterError(`(see ${pathOf(command)} --help)`)
  for (const child of command.commands) handleErrors(child)
  return command
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
