import { Command } from 'commander'
import { configExample, configPage } from '../app/config-docs.ts'
import { SETTINGS, type Setting } from '../app/config-settings.ts'
import type { Config } from '../app/config.ts'
import { print, readConfig, table } from './context.ts'

/** `sluice config`: prints the effective configuration, an example and the reference. */
export function configCommands(): Command {
  const config = new Command('config')
  config
    .command('print')
    .description('print every effective setting and its source, without secrets')
    .action((_options, command: Command) => {
      const shown = redact(readConfig())
      print(command, shown, () => lines(shown))
    })
  config
    .command('example')
    .description('print a configuration file with every key')
    .action(() => console.log(configExample().trimEnd()))
  config
    .command('reference')
    .description('print the reference of every key, in Markdown')
    .action(() => console.log(configPage().trimEnd()))
  return config
}

type Shown = ReturnType<typeof redact>

/** Node URLs are only counted, because they may contain keys. */
function redact(config: Config) {
  const values: Record<string, unknown> = { ...config }
  const settings: [string, Setting<unknown>][] = Object.entries(SETTINGS)
  return {
    file: config.file,
    settings: settings.map(([name, { secret }]) => ({
      name,
      value: secret === true && values[name] !== '' ? '[secret]' : values[name],
      source: config.sources[name] ?? 'default',
    })),
    chains: config.chains.map(({ nodes, ...chain }) => ({ ...chain, nodes: nodes.length })),
    tokens: config.tokens.map(({ id, symbol, decimals }) => ({ id, symbol, decimals })),
  }
}

function lines({ file, settings, chains, tokens }: Shown): string[] {
  return [
    file === '' ? 'There is no configuration file.' : `The configuration file is ${file}.`,
    ...table(
      ['setting', 'value', 'from'],
      settings.map(({ name, value, source }) => [name, JSON.stringify(value), source]),
      'There are no settings.',
    ),
    ...chains.map(({ id, nodes, ...rest }) => `${id}: ${nodes} nodes, ${JSON.stringify(rest)}`),
    ...tokens.map(({ id, symbol, decimals }) => `${id}: ${symbol}, ${decimals} decimals`),
  ]
}
