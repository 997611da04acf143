import type { ESTree } from 'vite'
import { visitsFrom } from './source.ts'
import { isTest, roomOf, type Rule } from './tree.ts'

const CHAIN_TYPES = new Set(['Chains', 'ChainAdapter'])

/** No function is given both a transaction and the chains: inside a commit no node is called. */
export const commitsCallNoNode: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => roomOf(path) !== null && !isTest(path))
    .flatMap((source) =>
      source.visits
        .filter(({ node }) => {
          const types = parameterTypes(node)
          return types.has('Tx') && [...CHAIN_TYPES].some((name) => types.has(name))
        })
        .map(({ node }) => ({
          path: source.path,
          line: source.lineOf(node.start),
          says: 'takes tx and chains; ask the node first, then open the transaction',
        })),
    )

function parameterTypes(node: ESTree.Node): Set<string> {
  if (!('params' in node) || !Array.isArray(node.params)) return new Set()
  // The parameters of a callback among the parameters belong to that callback's signature.
  const own = node.params.filter((parameter) => !isCallback(parameter))
  const names = own.flatMap((parameter) =>
    visitsFrom(parameter).flatMap(({ node: part }) =>
      part.type === 'TSTypeReference' && part.typeName.type === 'Identifier'
        ? [part.typeName.name]
        : [],
    ),
  )
  return new Set(names)
}

function isCallback(parameter: ESTree.Node): boolean {
  if (parameter.type !== 'Identifier') return false
  return parameter.typeAnnotation?.typeAnnotation.type === 'TSFunctionType'
}
