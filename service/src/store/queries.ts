import type { RawBuilder } from 'kysely'
import type { ClientBase, QueryResult } from 'pg'
import { assert } from '../base/assert.ts'
import { toFault } from './outage.ts'
import { toStatement } from './statement.ts'

/** Runs a statement, by the number of rows that it must return. */
export interface Queries {
  many<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** Throws a Bug for more than one row. */
  maybe<Row>(query: RawBuilder<Row>): Promise<Row | null>
  /** Throws a Bug unless exactly one row is returned. */
  one<Row>(query: RawBuilder<Row>): Promise<Row>
  /** Returns the number of inserted, updated or deleted rows. */
  run(query: RawBuilder<unknown>): Promise<number>
}

export abstract class Statements implements Queries {
  async many<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return parseRows(await this.send(query))
  }

  async maybe<Row>(query: RawBuilder<Row>): Promise<Row | null> {
    const rows = parseRows<Row>(await this.send(query))
    assert(rows.length <= 1, 'more than one row', factsOf(query))
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

/** Sends a statement over a connection. Throws an Outage if the database is unreachable. */
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
