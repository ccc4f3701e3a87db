import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { tempoContracts } from '../../../redeemkit/tempo/network.ts'

const abi = parseAbi([
  'struct TokenLimit { address token; uint256 amount; uint64 period; }',
  'struct SelectorRule { bytes4 selector; address[] recipients; }',
  'struct CallScope { address target; SelectorRule[] selectorRules; }',
  'struct KeyRestrictions { uint64 expiry; bool enforceLimits; TokenLimit[] limits; bool allowAnyCalls; CallScope[] allowedCalls; }',
  'function authorizeKey(address keyId, uint8 signatureType, KeyRestrictions config)',
])
const kinds = { secp256k1: 0, p256: 1, webAuthn: 2 } as const

/**
 * The call by which an account lets an access key act for it. The account itself has to send it.
 *
 * @param options.expiry unix seconds
 * @param options.spendingLimit the key may spend so much of a token; without it, without limit
 * @see Tempo, "Account Keychain Precompile", `authorizeKey`
 */
export function authorizeAccessKey(options: authorizeAccessKey.Options): { to: Address; data: Hex } {
  const { expiry, keyId, kind, spendingLimit } = options
  const config = {
    expiry,
    enforceLimits: spendingLimit !== undefined,
    limits: spendingLimit === undefined ? [] : [{ ...spendingLimit, period: 0n }],
    allowAnyCalls: true,
    allowedCalls: [],
  }
  return {
    to: tempoContracts.accountKeychain,
    data: encodeFunctionData({ abi, functionName: 'authorizeKey', args: [keyId, kinds[kind], config] }),
  }
}

export declare namespace authorizeAccessKey {
  type Options = {
    keyId: Address
    kind: keyof typeof kinds
    expiry: bigint
    spendingLimit?: { token: Address; amount: bigint } | undefined
  }
}
