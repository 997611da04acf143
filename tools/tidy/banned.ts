import type { ESTree } from 'vite'
import type { Source, Visit } from './source.ts'
import { isProduct, packageOf, type Rule, type Violation } from './tree.ts'

interface Ban {
  what: RegExp
  /** The packages in which the ban holds; most bans exempt the simulator. */
  packages: readonly string[]
  /** The files of those packages that may. */
  except: RegExp
  instead: string
}

const BANS: readonly Ban[] = [
  {
    what: /^process\.env$|^node:process#(env|\*)$/,
    packages: ['wire', 'json-scan', 'service', 'client', 'dashboard', 'simulator'],
    except: /^service\/src\/app\/config[a-z-]*\.ts$|^simulator\/src\/sandbox\//,
    instead: 'app/config.ts reads settings; pass values to the other modules',
  },
  {
    what: /^Date\.now$|^new Date$|^Date\(\)$|^performance\.now$|^process\.hrtime/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^service\/src\/base\/clock\.ts$/,
    instead: 'use clock.now(), iso(ms) and fromIso(text) of base/clock.ts',
  },
  {
    what: /^(globalThis\.)?set(Timeout|Interval)$|^node:timers(\/promises)?#/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^service\/src\/base\/clock\.ts$/,
    instead: 'use clock.sleep(ms, signal) of base/clock.ts',
  },
  {
    what: /^Math\.random$|(^|[.#])(random(Bytes|UUID|Int|FillSync)|getRandomValues)$/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^service\/src\/base\/random\.ts$/,
    instead: 'use `Random` of base/random.ts, or `Ids` for ids',
  },
  {
    what: /(^|[.#])(generateMnemonic|randomSecretKey|randomPrivateKey)$/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^$/,
    instead: 'make secrets from the random bytes of `base/random.ts`',
  },
  {
    what: /^(globalThis\.)?(fetch|WebSocket)$|^undici#|^node:https?#(?!createServer$)|^node:http2#/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^service\/src\/(chains\/(http|socket)\.ts$|webhooks\/)/,
    instead: 'talk to nodes through chains/http.ts or socket.ts, to receivers through webhooks/',
  },
  {
    what: /^node:http#createServer$/,
    packages: ['wire', 'json-scan', 'service'],
    except: /^service\/src\/(api|app)\//,
    instead: 'doors are opened in api/ and app/',
  },
  {
    what: /^(node:)?child_process#/,
    packages: ['wire', 'json-scan', 'service', 'client', 'dashboard'],
    except: /^service\/src\/(store\/embedded[a-z-]*\.ts$|signing\/child\.ts$|cli\/)/,
    instead: 'only store/embedded.ts, signing/child.ts and cli/ start processes',
  },
  {
    what: /^console\./,
    packages: ['wire', 'json-scan', 'service', 'client', 'dashboard'],
    except: /^service\/src\/cli\//,
    instead: 'write to the Log handed in (base/log.ts); cli/ may print',
  },
]

/** Time, random numbers, network, settings and processes are each accessed in one place only. */
export const noHiddenInputs: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path))
    .flatMap((source) => source.visits.flatMap((visit) => judge(source, visit)))

function judge(source: Source, visit: Visit): Violation[] {
  const uses = usesOf(visit)
  const bans = BANS.filter(
    (ban) =>
      ban.packages.includes(packageOf(source.path)) &&
      !ban.except.test(source.path) &&
      uses.some((use) => ban.what.test(use)),
  )
  return bans.map(({ instead }) => ({
    path: source.path,
    line: source.lineOf(visit.node.start),
    says: `uses ${uses.join(', ')}: ${instead}`,
  }))
}

/** The global of a node: `name`, `object.property`, `new Name` or `module#export`. */
function usesOf({ node, parent }: Visit): string[] {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.importKind === 'type' ? [] : importsOf(node)
    case 'MemberExpression':
      return dotted(node)
    case 'NewExpression':
      return node.callee.type === 'Identifier' ? [`new ${node.callee.name}`] : []
    case 'CallExpression':
      return node.callee.type === 'Identifier' ? [`${node.callee.name}()`] : []
    case 'Identifier':
      return parent !== null && isReference(node, parent.node) ? [node.name] : []
    default:
      return []
  }
}

function importsOf(node: ESTree.ImportDeclaration): string[] {
  return node.specifiers.flatMap((one) => {
    if (one.type !== 'ImportSpecifier') return [`${node.source.value}#*`]
    const name = one.imported.type === 'Literal' ? one.imported.value : one.imported.name
    return one.importKind === 'type' ? [] : [`${node.source.value}#${name}`]
  })
}

function dotted(node: ESTree.MemberExpression): string[] {
  const { object, property } = node
  const name = property.type === 'Identifier' && !node.computed ? property.name : null
  const text = property.type === 'Literal' ? String(property.value) : name
  if (text === null) return []
  return [object.type === 'Identifier' ? `${object.name}.${text}` : `.${text}`]
}

/** Whether an identifier is a value of that name, not a key, a property or a parameter. */
function isReference(node: ESTree.Node, parent: ESTree.Node): boolean {
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === node
    case 'Property':
      return parent.value === node && !parent.shorthand
    case 'CallExpression':
    case 'NewExpression':
    case 'VariableDeclarator':
    case 'AssignmentPattern':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ArrowFunctionExpression':
      return isValueOf(node, parent)
    default:
      return false
  }
}

function isValueOf(node: ESTree.Node, parent: ESTree.Node): boolean {
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.init === node
    case 'AssignmentPattern':
      return parent.right === node
    case 'ArrowFunctionExpression':
      return parent.body === node
    default:
      return true
  }
}
