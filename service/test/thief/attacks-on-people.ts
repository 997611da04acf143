import { replaceApiKey } from '../../src/orgs/change-api-key.ts'
import { consumeTotp } from '../../src/orgs/totp.ts'
import { type Attack, REFUSED, WITHOUT_EFFECT, must, noticed, withoutTriggers } from './attack.ts'
import { CHAIN } from '../support/withdrawal-desk.ts'
import { RECIPIENTS, type Scene } from './scene.ts'

const THIEFS_KEY = `slk_${'a'.repeat(43)}`
const THIEFS_TOKEN = `sli_${'a'.repeat(43)}`
const THIEFS_CODE = 'AAAA-BBBB-CCCC-DDDD'
const KEY = ['scopes', 'networks', 'version', 'mac']
const ORGANIZATION = ['min_withdrawal_signers', 'min_human_approvals', 'version', 'mac']
const USER = ['role', 'status', 'version', 'mac']

export const ON_SETTINGS: readonly Attack[] = [
  {
    role: 'sluice_api',
    name: 'lowers the number of signers',
    sql: ({ orgId }) => `update organizations set min_withdrawal_signers = 1 where id = '${orgId}'`,
    afterwards: refusesToCreate,
    expectation: noticed('organization.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'restores the organization with fewer signers and its old MAC',
    sql: ({ kept }) => writeBack('organizations', kept.organization, ORGANIZATION),
    afterwards: refusesToCreate,
    expectation: noticed('organization.tampered'),
  },
  {
    role: 'sluice_owner',
    name: 'restores the organization with fewer signers and its old MAC',
    sql: ({ kept }) => writeBack('organizations', kept.organization, ORGANIZATION),
    afterwards: refusesToCreate,
    expectation: noticed('organization.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'removes the record that the old organization was superseded',
    sql: () => 'delete from superseded',
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'removes the record that the old organization was superseded',
    sql: () => 'delete from superseded',
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'switches triggers off, and rolls organization and superseded MACs back together',
    sql: ({ kept }) =>
      withoutTriggers(
        ['superseded', 'organizations'],
        `delete from superseded; ${writeBack('organizations', kept.organization, ORGANIZATION)}`,
      ),
    afterwards: async (scene) => must(await scene.create(RECIPIENTS.thief, 7n), 201),
    expectation: {
      is: 'only the signer stops this',
      pays: ({ outward }) => outward.some(({ to }) => to.toLowerCase() === RECIPIENTS.thief),
    },
  },
]

/** A switch gives no right: a request also needs a credential and its approvals. */
export const ON_SWITCHES: readonly Attack[] = [
  {
    role: 'sluice_api',
    name: 'switches on a chain that the operator switched off',
    sql: ({ orgId }) => `
      insert into org_switches (org_id, subject, enabled, updated_at)
      values ('${orgId}', '${CHAIN}', true, now())
          on conflict (org_id, subject) do update set enabled = true`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'switches on a chain that the organization switched off',
    sql: () => 'update org_switches set paused = false',
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'moves the switch of a chain to another chain',
    sql: () => `update org_switches set subject = 'eip155:2'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_api',
    name: 'switches on a chain that the organization switched off',
    sql: ({ orgId }) => `
      insert into org_switches (org_id, subject, paused, updated_at)
      values ('${orgId}', '${CHAIN}', false, now())`,
    afterwards: async (scene) => {
      must(await scene.create(RECIPIENTS.thief, 7n, THIEFS_KEY), 401)
      must(await scene.read('/audit-log?action=switch.set'), 200, '"entries":[]')
    },
    expectation: {
      is: 'a lie that moves no money',
      shownBy: 'the audit log, which has no entry of this decision',
    },
  },
]

export const ON_PEOPLE: readonly Attack[] = [
  {
    role: 'sluice_api',
    name: 'makes a disabled user active',
    sql: ({ people }) => `update users set status = 'active' where id = '${people.carl.userId}'`,
    afterwards: refusesCarl,
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'makes a disabled user active',
    sql: ({ people }) => `update users set status = 'active' where id = '${people.carl.userId}'`,
    afterwards: refusesCarl,
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'restores the row of a disabled user with its old MAC',
    sql: ({ kept }) => writeBack('users', kept.carl, USER),
    afterwards: refusesCarl,
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'reopens the ended session of a disabled user and restores the user',
    sql: ({ kept, people }) => `
      update sessions set ended_at = null, end_cause = '' where user_id = '${people.carl.userId}';
      ${writeBack('users', kept.carl, USER)}`,
    afterwards: async ({ people, ids }) => must(await people.carl.approve(ids.waiting), 401),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'restores a replaced password together with the one-time secret',
    sql: ({ kept }) => writeBack('users', kept.ann, ['password_hash', 'totp_secret']),
    afterwards: async (scene) => {
      const { ann } = scene.people
      must(await scene.logIn(ann, { totpCode: await ann.code() }), 401, 'UNAUTHORIZED')
    },
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'restores a replaced one-time secret',
    sql: ({ kept }) => writeBack('users', kept.ann, ['totp_secret']),
    afterwards: async ({ desk, people, serviceKey, orgId }) => {
      const { userId } = people.ann
      const { clock, database } = desk.door.harness
      const code = await people.ann.code()
      const used = database.transaction((tx) =>
        consumeTotp(tx, serviceKey, { orgId, userId, code, clock }),
      )
      const answer = await used.then(String, (error: unknown) => String(error))
      if (!answer.includes('INVALID_TOTP')) throw new Error(`the old code counts: ${answer}`)
    },
    expectation: WITHOUT_EFFECT,
  },
]

/** The thief was invited as a viewer and knows the token. */
export const ON_INVITATIONS: readonly Attack[] = [
  {
    role: 'sluice_api',
    name: 'inserts an invitation for a signer',
    sql: ({ orgId, people }) => `
      update invitations set ended_at = now() where user_id = '${people.ben.userId}';
      insert into invitations
        (org_id, id, user_id, hash, role, created_by, created_at, expires_at, mac)
      select '${orgId}', gen_random_uuid(), '${people.ben.userId}', sha256('${THIEFS_TOKEN}'),
             'approver', 'x', now(), now() + interval '100 years', mac
        from invitations where org_id = '${orgId}' limit 1`,
    afterwards: (scene) => refusesToken(scene, THIEFS_TOKEN),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'points an invitation at a signer',
    sql: ({ people, invited }) => `
      update invitations set ended_at = now() where user_id = '${people.ben.userId}';
      update invitations set user_id = '${people.ben.userId}' where user_id = '${invited.id}'`,
    afterwards: (scene) => refusesToken(scene, scene.invited.token),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_api',
    name: 'raises the role of an invitation and of its user',
    sql: ({ invited }) => `
      update invitations set role = 'admin' where user_id = '${invited.id}';
      update users set role = 'admin' where id = '${invited.id}'`,
    afterwards: (scene) => refusesToken(scene, scene.invited.token),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_api',
    name: 'raises the role of an invited user',
    sql: ({ invited }) => `update users set role = 'admin' where id = '${invited.id}'`,
    afterwards: (scene) => refusesToken(scene, scene.invited.token),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'extends an invitation',
    sql: ({ invited }) =>
      `update invitations set expires_at = expires_at + interval '1 year'
        where user_id = '${invited.id}'`,
    afterwards: (scene) => refusesToken(scene, scene.invited.token),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'reopens a replaced invitation with its old MAC',
    sql: ({ kept, invited }) => `
      update invitations set ended_at = now() where user_id = '${invited.id}';
      ${writeBack('invitations', kept.invitation, ['ended_at', 'end_cause', 'mac'])}`,
    afterwards: (scene) => refusesToken(scene, scene.invited.oldToken),
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_api',
    name: 'inserts a recovery code',
    sql: ({ orgId, people }) => `
      insert into recovery_codes (org_id, user_id, hash, created_at)
      values ('${orgId}', '${people.ben.userId}', sha256('${THIEFS_CODE}'), now())`,
    afterwards: async (scene) => {
      const { ben } = scene.people
      must(await scene.logIn(ben, { totpCode: THIEFS_CODE }), 401, 'INVALID_TOTP')
    },
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_api',
    name: 'restores a used recovery code',
    sql: ({ kept }) => `
      insert into recovery_codes
      select r.*
        from jsonb_populate_recordset(
               null::recovery_codes, '${kept.recoveryCodes}'::jsonb -> 'rows') r
          on conflict do nothing`,
    afterwards: async (scene) => {
      const { people, usedCode } = scene
      must(await scene.logIn(people.ben, { totpCode: usedCode }), 401, 'INVALID_TOTP')
    },
    expectation: WITHOUT_EFFECT,
  },
]

async function refusesToken({ desk }: Scene, token: string): Promise<void> {
  const shown = await desk.door.ask('/auth/invitation', {
    key: null,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  must(shown, 401, 'INVALID_INVITATION')
}

async function refusesCarl(scene: Scene): Promise<void> {
  const { carl } = scene.people
  must(await scene.logIn(carl, { totpCode: await carl.code() }), 401, 'UNAUTHORIZED')
  must(await carl.approve(scene.ids.waiting), 401)
}

/** Each changes one limit of a key that may only read, and only from elsewhere. */
const WIDENINGS = [
  ['gives an API key more scopes', `scopes = array['read', 'withdrawals'], networks = '{}'`],
  ['removes the networks of an API key', `networks = '{}'`],
  ['prolongs the life of an API key', `expires_at = now() + interval '1 year'`],
  ['renames an API key', `name = 'Other'`],
  ['makes an API key the default', `is_default = true, scopes = array['withdrawals']`],
] as const

export const ON_KEYS: readonly Attack[] = [
  ...WIDENINGS.map(
    ([name, change]): Attack => ({
      role: 'sluice_api',
      name,
      sql: ({ kept }) => `
        update api_keys set revoked_at = now() where is_default and revoked_at is null;
        update api_keys set ${change} where id = '${idOf(kept.narrowed)}'`,
      afterwards: refusesNarrowed,
      expectation: noticed('api_key.tampered'),
    }),
  ),
  {
    role: 'sluice_engine',
    name: 'restores the wider limits of an API key with their old MAC',
    sql: ({ kept }) => writeBack('api_keys', kept.narrowed, KEY),
    afterwards: refusesNarrowed,
    expectation: noticed('api_key.tampered'),
  },
  {
    role: 'sluice_api',
    name: 'has an admin copy the forged limits of an API key into a new one',
    sql: ({ kept }) => `
      update api_keys set scopes = array['withdrawals'], networks = '{}'
       where id = '${idOf(kept.narrowed)}'`,
    afterwards: async ({ desk, kept, orgId, serviceKey }) => {
      const random = { bytes: (length: number) => new Uint8Array(length), fraction: () => 0 }
      const asked = { orgId, id: idOf(kept.narrowed), actor: 'user:x', overlapMs: 0, random }
      const made = desk.database.transaction((tx) => replaceApiKey(tx, serviceKey, asked))
      const answer = await made.then(String, (error: unknown) => String(error))
      if (!answer.includes('changed in the database')) throw new Error(`it was copied: ${answer}`)
    },
    expectation: WITHOUT_EFFECT,
  },
  {
    role: 'sluice_engine',
    name: 'restores a revoked API key with its old MAC',
    sql: ({ orgId, kept }) => `
      update api_keys set revoked_at = now() where org_id = '${orgId}' and revoked_at is null;
      ${writeBack('api_keys', kept.key, ['revoked_at', 'mac'])}`,
    afterwards: async (scene) =>
      must(await scene.create(RECIPIENTS.thief, 7n, scene.keys.old), 401),
    expectation: noticed('api_key.tampered'),
  },
  {
    role: 'sluice_api',
    name: 'inserts an API key',
    sql: ({ orgId }) => `
      update api_keys set revoked_at = now() where org_id = '${orgId}' and revoked_at is null;
      insert into api_keys
        (org_id, id, user_id, hash, name, scopes, is_default, last_four, created_by, created_at,
         mac)
      select org_id, gen_random_uuid(), user_id, sha256('${THIEFS_KEY}'), name, scopes, true,
             'aaaa', 'x', now(), mac
        from api_keys where org_id = '${orgId}' limit 1`,
    afterwards: async (scene) => must(await scene.create(RECIPIENTS.thief, 7n, THIEFS_KEY), 401),
    expectation: noticed('api_key.tampered'),
  },
]

async function refusesNarrowed(scene: Scene): Promise<void> {
  must(await scene.create(RECIPIENTS.thief, 7n, scene.keys.narrowed), 401, 'INVALID_API_KEY')
}

function idOf(kept: string): string {
  return String(Object(JSON.parse(kept))['id'])
}

/** Restores a row. */
function writeBack(table: string, kept: string, columns: readonly string[]): string {
  const names = columns.join(', ')
  return `update ${table} t set (${names}) = (select ${columns.map((one) => `r.${one}`).join(', ')}
            from jsonb_populate_record(null::${table}, '${kept}'::jsonb) r)
           where t.id = ('${kept}'::jsonb ->> 'id')::uuid`
}

async function refusesToCreate(scene: Scene): Promise<void> {
  must(await scene.create(RECIPIENTS.thief, 7n), 500, 'tampered')
}
