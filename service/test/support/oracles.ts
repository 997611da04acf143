import { createRequire } from 'node:module'
import { describe, test } from 'vitest'

type Hex = `0x${string}`
type HexTree = Hex | HexTree[]
type Fields = Record<string, unknown>

interface EthersWallet {
  address: string
  publicKey: string
  signingKey: { sign(digest: Uint8Array): { r: string; s: string; yParity: number } }
  deriveChild(index: number): EthersWallet
  signTransaction(fields: Fields): Promise<string>
}

interface EthersTransaction {
  hash: string | null
  from: string | null
  to: string | null
  type: number | null
  chainId: bigint
  nonce: number
  gasLimit: bigint
  gasPrice: bigint | null
  maxFeePerGas: bigint | null
  value: bigint
  data: string
  unsignedHash: string
  serialized: string
  signature: unknown
}

/** The parts of independent implementations that tests use; they are installed apart. */
export interface Oracles {
  ethers: {
    encodeRlp(tree: HexTree): string
    getAddress(address: string): string
    computeAddress(publicKey: string): string
    Transaction: { from(source: string | Fields): EthersTransaction }
    SigningKey: new (key: Uint8Array) => EthersWallet['signingKey']
    HDNodeWallet: { fromPhrase(words: string, password: string, path: string): EthersWallet }
    Wallet: { createRandom(): { address: string } }
  }
  viem: {
    toRlp(tree: HexTree): Hex
    getAddress(address: string): string
    erc20Abi: unknown
    encodeFunctionData(call: { abi: unknown; functionName: string; args?: unknown[] }): Hex
    parseTransaction(raw: Hex): {
      gas?: bigint
      nonce?: number
      chainId?: number
      maxFeePerGas?: bigint
      maxPriorityFeePerGas?: bigint
    }
    recoverTransactionAddress(given: { serializedTransaction: Hex }): Promise<string>
  }
  'viem/accounts': {
    HDKey: { fromMasterSeed(seed: Uint8Array): ViemKey }
    mnemonicToAccount(words: string): { address: string }
    privateKeyToAccount(key: Hex): { address: string }
    publicKeyToAddress(key: Hex): string
  }
  tronweb: {
    TronWeb: {
      address: {
        fromPrivateKey(key: string): string | false
        fromHex(hex: string): string
        toHex(address: string): string
      }
    }
    Trx: { ecRecover(transaction: unknown): unknown }
    utils: {
      crypto: { ecRecover(hash: string, signature: string): string }
      deserializeTx: { deserializeTransaction(type: string, body: string): unknown }
      transaction: {
        txJsonToPb(transaction: unknown): unknown
        txPbToRawDataHex(message: unknown): string
        txPbToTxID(message: unknown): string
      }
    }
  }
  '@simplewebauthn/server': {
    /** Throws, or returns false, if an assertion is not valid. */
    verifyAuthenticationResponse(options: {
      response: Fields
      expectedChallenge: string
      expectedOrigin: string[]
      expectedRPID: string
      credential: { id: string; publicKey: Uint8Array; counter: number }
    }): Promise<{ verified: boolean }>
  }
  xrpl: {
    decode(hex: string): Fields
    encodeForSigning(fields: Fields): string
    hashes: { hashSignedTx(hex: string): string }
  }
}

interface ViemKey {
  derive(path: string): ViemKey
  deriveChild(index: number): ViemKey
  publicKey: Uint8Array | null
  privateKey: Uint8Array | null
}

const FOLDER = 'tools/oracles'
const require = createRequire(new URL(`../../../${FOLDER}/package.json`, import.meta.url))

/** An oracle, or null if it is not installed. */
export function oracle<Name extends keyof Oracles>(name: Name): Oracles[Name] | null {
  try {
    return require(name) as Oracles[Name]
  } catch (error) {
    if (Object(error).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/**
 * Defines tests that compare with oracles. If one is missing they are skipped, and the title says
 * how to install it. The long tier installs all of them.
 */
export function compareWith<Name extends keyof Oracles>(
  names: readonly Name[],
  define: (oracles: Pick<Oracles, Name>) => void,
): void {
  const found = names.map((name) => [name, oracle(name)] as const)
  const isMissing = found.some(([, one]) => one === null)
  const title = `compared with ${names.join(' and ')}`
  if (isMissing) test.skipIf(isMissing)(`${title} (npm ci --prefix ${FOLDER})`, () => undefined)
  else
    describe(title, () => {
      define(Object.fromEntries(found) as Pick<Oracles, Name>)
    })
}
