import { Command } from 'commander'
import { targetRules } from '../app/config.ts'
import { openOwnServiceKey } from '../app/keys.ts'
import { iso, type Millis } from '../base/clock.ts'
import { editEndpoint } from '../orgs/edit-endpoint.ts'
import { lockSettings } from '../orgs/settings.ts'
import { describeAnswer } from '../webhooks/describe-answer.ts'
import { failedStepOf } from '../webhooks/failed-step.ts'
import { listEndpoints } from '../webhooks/list-endpoints.ts'
import { openResolve } from '../webhooks/resolve.ts'
import { openTester } from '../webhooks/test-endpoint.ts'
import { actor, onGround, parseId, print, table } from './context.ts'

/** `sluice webhook`: lists, tests, pauses and resumes webhook endpoints. */
export function webhookCommands(): Command {
  const webhook = new Command('webhook')
  ofOrganization(webhook.command('list'))
    .description('list the webhook endpoints of an organization with their deliveries')
    .action(list)
  ofOrganization(webhook.command('test').argument('<endpoint>', 'its id', parseId))
    .description('send a test event to an endpoint and print the result')
    .action(test)
  ofOrganization(webhook.command('pause').argument('<endpoint>', 'its id', parseId))
    .description('keep the deliveries to an endpoint waiting')
    .action((id: string, options: Options, command: Command) =>
      setPaused(id, true, options, command),
    )
  ofOrganization(webhook.command('resume').argument('<endpoint>', 'its id', parseId))
    .description('send the waiting deliveries to an endpoint')
    .action((id: string, options: Options, command: Command) =>
      setPaused(id, false, options, command),
    )
  return webhook
}

interface Options {
  org: string
}

function ofOrganization(command: Command): Command {
  return command.requiredOption('--org <id>', 'the organization', parseId)
}

async function list({ org: orgId }: Options, command: Command): Promise<void> {
  const listed = await onGround(async (ground) => {
    const serviceKey = await openOwnServiceKey(ground)
    return ground.database.transaction((tx) => listEndpoints(tx, serviceKey, orgId))
  })
  const shown = listed.map(({ endpoint, isAuthentic, pending }) => ({
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes,
    state: isAuthentic ? (endpoint.pausedAt === null ? 'active' : 'paused') : 'tampered',
    pending,
    lastSuccessAt: isoOrNull(endpoint.lastSuccessAt),
    lastFailureAt: isoOrNull(endpoint.lastFailureAt),
    failingSince: isoOrNull(endpoint.failingSince),
  }))
  print(command, shown, () =>
    table(
      ['id', 'url', 'events', 'state', 'pending', 'last success', 'failing since'],
      shown.map((one) => [
        one.id,
        one.url || '-',
        one.eventTypes.join(',') || 'all',
        one.state,
        String(one.pending),
        one.lastSuccessAt ?? '-',
        one.failingSince ?? '-',
      ]),
      'No organization has this id.',
    ),
  )
}

async function test(id: string, { org: orgId }: Options, command: Command): Promise<void> {
  const attempt = await onGround(async (ground) => {
    const { config, database, clock } = ground
    const serviceKey = await openOwnServiceKey(ground)
    const resolve = openResolve(clock, { servers: config.webhookNameServers })
    const tester = openTester({ ...ground, serviceKey, rules: targetRules(config), resolve })
    try {
      const request = { orgId, endpointId: id, requestedBy: actor() }
      return await tester.test(request, (work) => database.transaction(work))
    } finally {
      await tester.close()
    }
  })
  const { answer, startedAt, endedAt, delivery } = attempt
  const shown = {
    eventId: delivery.eventId,
    status: answer.status,
    durationMs: endedAt - startedAt,
    failedStep: failedStepOf(attempt),
    error: describeAnswer(answer),
  }
  print(command, shown, () => [
    shown.failedStep === null
      ? `The endpoint accepted the test with ${shown.status} in ${shown.durationMs} ms.`
      : `The test failed after ${shown.durationMs} ms (${shown.failedStep}): ${shown.error}`,
    `Request and answer: sluice event show ${shown.eventId}`,
  ])
}

async function setPaused(
  id: string,
  isPaused: boolean,
  { org: orgId }: Options,
  command: Command,
): Promise<void> {
  await onGround(async (ground) => {
    const serviceKey = await openOwnServiceKey(ground)
    await ground.database.transaction(async (tx) => {
      await lockSettings(tx, orgId)
      await editEndpoint(tx, serviceKey, { orgId, id, change: { isPaused }, actor: actor() })
    })
  })
  const state = isPaused ? 'paused' : 'active'
  print(command, { id, state }, () => [`The webhook endpoint ${id} is ${state}.`])
}

function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}
