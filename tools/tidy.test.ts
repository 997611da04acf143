import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { noHiddenInputs } from './tidy/banned.ts'
import { chainsAreNameless, familiesDifferByFields } from './tidy/chain-names.ts'
import { noCircles } from './tidy/circles.ts'
import { AWAITED, codesAreInUse } from './tidy/codes.ts'
import { importsAreDeclared } from './tidy/dependencies.ts'
import { lockIsPortable, noMachinePaths, pagesHaveOneTitle } from './tidy/documents.ts'
import { nothingIsLeftOpen, nothingIsWavedThrough, typesAreProved } from './tidy/escapes.ts'
import { LANGUAGE_BUDGETS } from './tidy/language-budgets.ts'
import { kindsKeepApart } from './tidy/layers.ts'
import { languageIsPlain } from './tidy/lexicon.ts'
import {
  baseIsSmall,
  exportsAreNamedWell,
  filesAreNamedWell,
  noBarrels,
  nothingIsDefault,
} from './tidy/names.ts'
import { exportsAreUsed, noDeadFiles, reachedByTestsOnly } from './tidy/reach.ts'
import {
  importsGoDown,
  importsLeadSomewhere,
  packagesKeepApart,
  roomsAreListed,
} from './tidy/rooms.ts'
import { keyringIsHeldByFew, secretsStayInKeys } from './tidy/secrets.ts'
import { commitsCallNoNode } from './tidy/signatures.ts'
import {
  filesAreShort,
  functionsAreShort,
  linesAreNarrow,
  roomsAreSmall,
  sizesTable,
} from './tidy/sizes.ts'
import {
  installsAreStill,
  keysImportFew,
  lockIsWhole,
  scriptsAreKnown,
  versionsAreExact,
} from './tidy/supply.ts'
import { sqlStaysHome, tablesStayHome } from './tidy/tables.ts'
import { print, readTree, type Rule } from './tidy/tree.ts'

const tree = readTree(fileURLToPath(new URL('..', import.meta.url)))

const RULES: [law: string, rule: Rule][] = [
  ['ARCHITECTURE.md lists the rooms there are', roomsAreListed],
  ['a file imports from its own room or one below it', importsGoDown],
  ['a kind of funding imports core only, and core no kind', kindsKeepApart],
  ['packages import each other only where the plan says so', packagesKeepApart],
  ['every relative import leads to a file', importsLeadSomewhere],
  ['packages declare what they import', importsAreDeclared],
  ['no file stands in a circle of imports', noCircles],
  ['no file is longer than 400 lines', filesAreShort],
  ['no function is longer than 60 lines', functionsAreShort],
  ['no line is wider than 100 columns', linesAreNarrow],
  ["the service's files and functions are small in the middle", roomsAreSmall],
  ['no file is out of reach of every entry and test', noDeadFiles],
  ['every value that a file of the service exports is used elsewhere', exportsAreUsed],
  ["a table is named only in its room's rows files", tablesStayHome],
  ['SQL is written only in rows files and the store', sqlStaysHome],
  ['time, dice, network, settings and processes have one place each', noHiddenInputs],
  ['seeds and private keys stay in keys', secretsStayInKeys],
  ['the keyring is held by few rooms', keyringIsHeldByFew],
  ['no chain is named above chains and catalogue', chainsAreNameless],
  ['families of chains differ by fields and payment models', familiesDifferByFields],
  ['no function takes a transaction and the chains', commitsCallNoNode],
  ['no any, no non-null assertion, no silenced check', nothingIsWavedThrough],
  ['types are asserted only where values are parsed or branded', typesAreProved],
  ['nothing is left for later in a comment', nothingIsLeftOpen],
  ['folders and files have names that say something', filesAreNamedWell],
  ['exports have names that say something', exportsAreNamedWell],
  ['nothing is exported as a default', nothingIsDefault],
  ['only the index of a package re-exports', noBarrels],
  ['base stays small', baseIsSmall],
  ['every error code is in use or awaited', codesAreInUse(AWAITED)],
  ['each page has exactly one title', pagesHaveOneTitle],
  ['no folder has more odd phrasings than its budget', languageIsPlain(LANGUAGE_BUDGETS)],
  ['no file names a folder of one machine', noMachinePaths],
  ['the lockfile names the public registry only', lockIsPortable],
  ['O01 every dependency is one exact version', versionsAreExact],
  ['O01 an install runs no scripts and writes no ranges', installsAreStill],
  ['O01 every package is locked to its content', lockIsWhole],
  ['O01 who asks to run scripts when it is installed is known', scriptsAreKnown],
  ['O01 few libraries run beside the seed', keysImportFew],
]

describe('the house is tidy', () => {
  test.each(RULES)('%s', (_law, rule) => {
    expect(rule(tree).map(print)).toEqual([])
  })

  test('its measures can be printed', () => {
    const lonely = reachedByTestsOnly(tree)
    const table = sizesTable(tree)
    process.stdout.write(`${table}\nreached by tests only: ${lonely.join(' ') || 'none'}\n`)
    expect(table).toContain('service')
  })
})
