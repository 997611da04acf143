import { type Sandbox, startSandbox } from './sandbox.ts'
import { readSettings } from './settings.ts'
import type { SandboxState } from './state.ts'

const tell = (line: string) => console.log(line)

/** What a newcomer needs to take the first step. */
function greet({ state, folder }: { state: SandboxState; folder: string }): void {
  const { baseUrl, controlUrl, apiKey, organization, users, tokens } = state
  const usdt = tokens.find(({ symbol }) => symbol === 'USDT')
  const query = `chainId=${usdt?.chainId}&tokenId=${usdt?.id}&userId=alice`
  tell('')
  tell(
    `Sluice runs at ${baseUrl}, the sandbox's control at ${controlUrl}. Ctrl-C stops everything.`,
  )
  tell(`Organization ${organization.name} (${organization.id}), API key ${apiKey}`)
  for (const { username, role, password, totpSecret } of users) {
    tell(`  ${username} (${role}): password ${password}, TOTP secret ${totpSecret}`)
  }
  tell(`All of this is in ${folder}/sandbox.json. To try, a deposit address and a payment to it:`)
  tell('')
  tell(`  curl -s -H 'x-api-key: ${apiKey}' '${baseUrl}/payments/deposit-address?${query}'`)
  const payment = {
    chainId: usdt?.chainId,
    tokenId: usdt?.id,
    address: '<address>',
    amount: '25000000',
  }
  tell(`  curl -s ${controlUrl}/deposits -d '${JSON.stringify(payment)}'`)
  tell(`  curl -s -H 'x-api-key: ${apiKey}' ${baseUrl}/payments`)
  tell('')
}

/** Resolves when somebody asks the sandbox to stop, or its service has ended. */
async function end(sandbox: Sandbox): Promise<string> {
  const signals = (['SIGINT', 'SIGTERM'] as const).map(
    (name) => new Promise<string>((resolve) => process.once(name, () => resolve(name))),
  )
  const crash = sandbox.ended.then((code) => {
    process.exitCode = 1
    return `the service ended with ${code}`
  })
  return Promise.race([...signals, crash])
}

try {
  const settings = readSettings(process.argv.slice(2), process.env)
  const sandbox = await startSandbox(settings, tell)
  greet({ state: sandbox.state, folder: settings.folder })
  const reason = await end(sandbox)
  tell(`The sandbox stops: ${reason}.`)
  await sandbox.stop()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
