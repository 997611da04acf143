import type { WEBHOOK_ENDPOINT_OPERATIONS, WebhookEndpoint } from '@sluice/wire'
import { addEndpoint, deleteEndpoint } from '../../orgs/add-endpoint.ts'
import { editEndpoint } from '../../orgs/edit-endpoint.ts'
import { rotateSigningSecret } from '../../orgs/signing-secret.ts'
import { emitSecretRotated, emitUrlChanged } from '../../webhooks/emit-setting.ts'
import { endDeliveries, resolveTampered } from '../../webhooks/end-deliveries.ts'
import { listEndpoints, readEndpointStatus } from '../../webhooks/list-endpoints.ts'
import { actorOf } from '../http/actor.ts'
import { checkUrl, configure } from '../http/configure.ts'
import { forCaller } from '../http/for-caller.ts'
import type { Handlers } from '../http/route.ts'
import { viewEndpoint, viewTest } from '../views/endpoint-views.ts'

const CREATED = 201

export const webhookEndpointRoutes: Handlers<keyof typeof WEBHOOK_ENDPOINT_OPERATIONS> = {
  getWebhookEndpoints: async ({ database, serviceKey, caller: { orgId } }) => {
    const listed = await database.forOrg(orgId, (tx) => listEndpoints(tx, serviceKey, orgId))
    return { endpoints: listed.map(viewEndpoint) }
  },

  postWebhookEndpoint: async (call) => {
    const { serviceKey, random, caller, body, setStatus } = call
    const { orgId } = caller
    const { url, eventTypes } = body
    await checkUrl(call, url)
    const added = await configure(call, async (tx) => {
      const endpoint = { orgId, url, eventTypes: eventTypes ?? [], actor: actorOf(caller), random }
      return { result: await addEndpoint(tx, serviceKey, endpoint), isChanged: true }
    })
    setStatus(CREATED)
    return { endpoint: await viewOf(call, added.id), signingSecret: added.secret.reveal() }
  },

  getWebhookEndpoint: async (call) => ({ endpoint: await viewOf(call, call.params.id) }),

  patchWebhookEndpoint: async (call) => {
    const { database, serviceKey, caller, params, body } = call
    const { orgId } = caller
    const { id } = params
    const { url, eventTypes, isPaused } = body
    if (url !== undefined) await checkUrl(call, url)
    const change = {
      ...(url !== undefined && { url }),
      ...(eventTypes !== undefined && { eventTypes: eventTypes ?? [] }),
      ...(isPaused !== undefined && { isPaused }),
    }
    const actor = actorOf(caller)
    await configure(call, async (tx) => {
      const { previous, isChanged } = await editEndpoint(tx, serviceKey, {
        orgId,
        id,
        change,
        actor,
      })
      const urls = { previous: previous.url, current: url ?? previous.url }
      emitUrlChanged(tx, serviceKey, { caller, endpointId: id, ...urls })
      return { result: null, isChanged }
    })
    if (url !== undefined) await resolveTampered(database, id)
    return { endpoint: await viewOf(call, id) }
  },

  deleteWebhookEndpoint: async (call) => {
    const { database, caller, params } = call
    const { orgId } = caller
    const { id } = params
    await configure(call, async (tx) => {
      await deleteEndpoint(tx, { orgId, id, actor: actorOf(caller) })
      return { result: null, isChanged: true }
    })
    await endDeliveries(database, { orgId, endpointId: id })
    return {}
  },

  postWebhookEndpointSecret: async (call) => {
    const { serviceKey, random, caller, params } = call
    const { orgId } = caller
    const secret = await configure(call, async (tx) => {
      const rotation = { orgId, endpointId: params.id, actor: actorOf(caller), random }
      const result = await rotateSigningSecret(tx, serviceKey, rotation)
      emitSecretRotated(tx, caller)
      return { result, isChanged: true }
    })
    return { signingSecret: secret.reveal() }
  },

  postWebhookEndpointTest: async (call) => {
    const { tester, caller, params } = call
    const { orgId, userId: requestedBy } = caller
    const request = { orgId, endpointId: params.id, requestedBy }
    return { test: viewTest(await tester.test(request, (work) => forCaller(call, work))) }
  },
}

async function viewOf(
  { database, serviceKey, caller: { orgId } }: Parameters<typeof configure>[0],
  id: string,
): Promise<WebhookEndpoint> {
  return viewEndpoint(
    await database.forOrg(orgId, (tx) => readEndpointStatus(tx, serviceKey, { orgId, id })),
  )
}
