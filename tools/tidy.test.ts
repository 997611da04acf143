import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { noHiddenInputs } from './tidy/banned.ts'
import { chainsAreNameless, familiesDifferByFields } from './tidy/chain-names.ts'
import { noCircles } from './tidy/circles.ts'
import { AWAITED, codesAreInUse } from './tidy/codes.ts'
import { importsAreDeclared } from './tidy/dependencies.ts'
import { lockIsPortable, noMachinePaths, pagesHaveOneTitle } from './tidy/documents.ts'
import { nothingIsLeftOpen, nothingIsWavedThrough, typesAreProved } from './tidy/escapes.ts'
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
} from './tidy/modules.ts'
import { keyringIsHeldByFew, secretsStayInKeys } from './tidy/secrets.ts'
import { commitsCallNoNode } from './tidy/signatures.ts'
import { signerImportsFew, signerIsSmall } from './tidy/signer.ts'
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
  ['ARCHITECTURE.md lists every module', roomsAreListed],
  ['a file imports from its own module or one below it', importsGoDown],
  ['a kind of funding imports core only, and core no kind', kindsKeepApart],
  ['packages import only the packages that the rule allows', packagesKeepApart],
  ['every relative import leads to a file', importsLeadSomewhere],
  ['packages declare what they import', importsAreDeclared],
  ['no file is in a circle of imports', noCircles],
  ['no file is longer than 400 lines', filesAreShort],
  ['no function is longer than 60 lines', functionsAreShort],
  ['no line is wider than 100 columns', linesAreNarrow],
  ["the service's median file and function are small", roomsAreSmall],
  ['no file is out of reach of every entry and test', noDeadFiles],
  ['every value that a file of the service exports is used elsewhere', exportsAreUsed],
  ["a table is named only in its module's rows files", tablesStayHome],
  ['SQL is written only in rows files and the store', sqlStaysHome],
  ['time, random numbers, network, settings and processes have one place each', noHiddenInputs],
  ['seeds and private keys stay in keys', secretsStayInKeys],
  ['the keyring is held by few modules', keyringIsHeldByFew],
  ['no chain is named above chains and catalogue', chainsAreNameless],
  ['families of chains differ by fields and payment models', familiesDifferByFields],
  ['no function takes a transaction and the chains', commitsCallNoNode],
  ['no file has any, a non-null assertion or a disabled check', nothingIsWavedThrough],
  ['types are asserted only where values are parsed or branded', typesAreProved],
  ['no comment announces later work', nothingIsLeftOpen],
  ['folders and files have meaningful names', filesAreNamedWell],
  ['exports have meaningful names', exportsAreNamedWell],
  ['no file has a default export', nothingIsDefault],
  ['only the index of a package re-exports', noBarrels],
  ['base stays small', baseIsSmall],
  ['every error code is in use or awaited', codesAreInUse(AWAITED)],
  ['each page has exactly one title', pagesHaveOneTitle],
  ['no folder has many odd phrasings', languageIsPlain],
  ['no file names a folder of one machine', noMachinePaths],
  ['the lockfile names the public registry only', lockIsPortable],
  ['every dependency is one exact version [O01]', versionsAreExact],
  ['an install runs no scripts and writes no ranges [O01]', installsAreStill],
  ['every package is locked to its content [O01]', lockIsWhole],
  ['every package with an install script is known [O01]', scriptsAreKnown],
  ['few libraries run in the process of the seed [O01]', keysImportFew],
  ['the signer has at most 3,000 lines', signerIsSmall],
  ['the signer runs at most 12 packages [O01]', signerImportsFew],
]

describe('the repository', () => {
  test.each(RULES)('%s', (_law, rule) => {
    expect(rule(tree).map(print)).toEqual([])
  })

  test('prints its measures', () => {
    const unused = reachedByTestsOnly(tree)
    const table = sizesTable(tree)
    process.stdout.write(`${table}\nreached by tests only: ${unused.join(' ') || 'none'}\n`)
    expect(table).toContain('service')
  })
})
