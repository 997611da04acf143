import type { Page } from './page.ts'

/** `docs/llms.txt`: every page with a one-line summary, for language models. */
export function contentsText(pages: readonly Pick<Page, 'name' | 'title' | 'summary'>[]): string {
  const lineOf = ({ name, title, summary }: (typeof pages)[number]) =>
    `- [${title}](docs/${name}.md): ${summary}`
  const isDecision = ({ name }: { name: string }) => name.startsWith('decisions/')
  return `# Sluice

> A self-hosted service that takes crypto deposits for the end users of organizations, and sends
> withdrawals out, with approvals. HTTP and JSON, signed webhooks, PostgreSQL.

Amounts are strings of base units; chains are CAIP-2 ids, tokens CAIP-19 ids. Servers send the
header \`x-api-key\`, people a bearer token. Each page is also served as HTML, without its \`.md\`.

## The interface

- [OpenAPI 3.1](openapi.json): every operation with its schemas, errors, examples and a curl sample.
- [API reference](docs): the same for people, with forms to try it.

## Pages

${pages
  .filter((page) => !isDecision(page))
  .map(lineOf)
  .join('\n')}

## Optional

${pages
  .filter(isDecision)
  .map(({ name, title }) => `- [${title}](docs/${name}.md)`)
  .join('\n')}
`
}
