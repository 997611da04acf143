import type { Download } from './download.ts'
import type { ApiKey } from './generated.ts'
import type { ReadList } from './money-lists.ts'
import type { Answer, Body, CallOptions, Filter } from './operation.ts'
import { eachOf, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/**
 * The organization's API keys. Needs an access token of an admin; every change needs a `totpCode`,
 * and is never repeated: a one-time code works once.
 */
export interface ApiKeys extends ReadList<ApiKey, Filter<'getApiKeys'>> {
  /** Creates a key, which is shown only in this answer. */
  create(terms: Body<'postApiKey'>, options?: CallOptions): Promise<Answer<'postApiKey'>>
  /** Changes the name, scopes, networks or expiry of a key. */
  update(id: string, terms: Body<'patchApiKeyTerms'>, options?: CallOptions): Promise<ApiKey>
  /** Replaces a key; the old one is refused at once, or after `overlapSeconds`. */
  rotate(
    id: string,
    rotation: Body<'postApiKeyRotate'>,
    options?: CallOptions,
  ): Promise<Answer<'postApiKeyRotate'>>
  /** Revokes a key at once. */
  revoke(id: string, totpCode: string, options?: CallOptions): Promise<ApiKey>
}

export function openApiKeys(ask: Ask, download: Download): ApiKeys {
  const list: ApiKeys['list'] = async (filter, options) => {
    const answer = await ask('getApiKeys', { query: paged(filter) }, options)
    return toPage(answer.apiKeys, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getApiKeys', format, { query: { ...filter } }, options),
    create: (body, options) => ask('postApiKey', { body }, options),
    update: async (id, body, options) =>
      (await ask('patchApiKeyTerms', { path: { id }, body }, options)).apiKey,
    rotate: (id, body, options) => ask('postApiKeyRotate', { path: { id }, body }, options),
    revoke: async (id, totpCode, options) =>
      (await ask('deleteApiKey', { path: { id }, body: { totpCode } }, options)).apiKey,
  }
}
