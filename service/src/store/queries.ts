import type { RawBuilder } from 'kysely'
import type { ClientBase, QueryResult } from 'pg'
import { assert } from '../base/assert.ts'
import { toFault } from './outage.ts'
import { toStatement } from './statement.ts'

/** Four ways to run one statement, by how many rows it must give. */
export interface Queries {
  many<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** A Bug when more than one row came. */
  maybe<Row>(query: RawBuilder<Row>): Promise<Row | null>
  /** A Bug when not exactly one row came. */
  one<Row>(query: RawBuilder<Row>): Promise<Row>
  /** How many rows were inserted, updated or deleted. */
  run(query: RawBuilder<unknown>): Promise<number>
}

/** The four ways over the one way that a connection has. */
export abstract class Statements implements Queries {
  async many<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return parseRows(await this.send(query))
  }

  async maybe<Row>(query: RawBuilder<Row>): Promise<Row | null> {
    const rows = parseRows<Row>(await this.send(query))
    assert(rows.length <= 1, 'more than one row where one was meant', factsOf(query))
    return rows[0] ?? null
  }

  async one<Row>(query: RawBuilder<Row>): Promise<Row> {
    const rows = parseRows<Row>(await this.send(query))
    const [row] = rows
    assert(row !== undefined && rows.length === 1, 'not exactly one row', factsOf(query))
    return row
  }

  async run(query: RawBuilder<unknown>): Promise<number> {
    return (await this.send(query)).rowCount ?? 0
  }

  protected abstract send(query: RawBuilder<unknown>): Promise<QueryResult>
}

/** Sends one statement over one connection; a database that is away comes out as an Outage. */
export async function execute(
  client: ClientBase,
  query: RawBuilder<unknown>,
): Promise<QueryResult> {
  try {
    return await client.query(toStatement(query))
  } catch (error) {
    throw toFault(error)
  }
}

/**
 * The statement's author states the shape of its rows; the database types are kept by `column-
 * types.ts`.
 */
function parseRows<Row>(result: QueryResult): Row[] {
  return result.rows as Row[]
}

function factsOf(query: RawBuilder<unknown>): Record<string, unknown> {
  return { text: toStatement(query).text }
}
