import type { Address, Hex } from 'viem'
import type { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import {
  cancelUsdcAuthorizationTypedData,
  cancelUsdcAuthorizationTypes,
} from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import {
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
  usdcAuthorizationTypes,
} from '../usdcAuthorization/usdcAuthorization.ts'
import { type UsdcToken, usdcToken } from '../usdcToken.ts'
import {
  asJson,
  type ClearSigningField,
  type ClearSigningFile,
  checkList,
  descriptorSchema,
  encodeType,
  sharedFields,
  testsSchema,
} from './clearSigningFile.ts'

/**
 * Returns descriptors for wallets that render typed data by ERC-7730: the USDC authorizations (EIP-3009) of these networks, and
 * their cancellations. USDC has two EIP-712 names, and each has its own descriptor. The nonce is shown as "Purchase".
 *
 * @param networks such as `networks` of this entry point; those without USDC are left out
 * @returns plain JSON, schema 2.0.0, with a test of the registry for each network and message
 * @throws InvalidRecordError for a list without an entry; UnknownNetworkError for a chain that the service does not have
 *
 * Source: ERC-7730.
 * @example
 * ```ts
 * import { networks, usdcAuthorizationDescriptors } from 'redeemkit/evm'
 * usdcAuthorizationDescriptors(networks).map(({ name }) => name)
 * ```
 */
export function usdcAuthorizationDescriptors(
  networks: usdcAuthorizationDescriptors.Networks,
): ClearSigningFile[] {
  const tokens = checkList(networks, 'networks')
    .filter(({ usdc }) => usdc !== false)
    .map(({ chainId }) => usdcToken({ chainId }))
  return [...new Set(tokens.map(({ name }) => name))].map((domainName) =>
    fileOf(
      domainName,
      tokens.filter(({ name }) => name === domainName),
    ),
  )
}

export declare namespace usdcAuthorizationDescriptors {
  type Networks = readonly { chainId: number; usdc?: boolean | undefined }[]
  type ReturnType = ClearSigningFile[]
  type ErrorType = InvalidRecordError | usdcToken.ErrorType | usdcAuthorizationTypedData.ErrorType
}

const owner = 'Circle Internet Financial'
const authorizations = ['ReceiveWithAuthorization', 'TransferWithAuthorization'] as const
const cancelIntent = 'Cancel a USDC authorization'

function fileOf(domainName: string, tokens: readonly UsdcToken[]): ClearSigningFile {
  const name = `eip712-Authorization-${domainName.replaceAll(' ', '-')}`
  const { CancelAuthorization: cancellation } = cancelUsdcAuthorizationTypes
  return {
    name,
    descriptor: {
      $schema: descriptorSchema,
      context: {
        eip712: {
          domain: { name: domainName, version: '2' },
          deployments: tokens.map(({ chainId, address }) => ({ chainId, address })),
        },
      },
      metadata: {
        owner,
        info: { url: 'https://www.circle.com/' },
      },
      display: {
        formats: {
          ...Object.fromEntries(
            authorizations.map((type) => [
              encodeType(type, membersOf(type)),
              { intent: intentOf[type], fields },
            ]),
          ),
          [encodeType('CancelAuthorization', cancellation)]: {
            intent: cancelIntent,
            fields: [sharedFields.nonce, sharedFields.wallet('authorizer')],
          },
        },
      },
    },
    tests: {
      $schema: testsSchema,
      descriptor: `../${name}.json`,
      dataProvider: {
        tokens: Object.fromEntries(
          tokens.map(({ address }) => [
            address.toLowerCase(),
            { symbol: 'USDC', decimals: 6, name: domainName },
          ]),
        ),
      },
      tests: tokens.flatMap(testsOf),
    },
  }
}

/** Only the payee can execute the first one; the second can be executed by anyone. */
const intentOf: Record<UsdcAuthorizationType, string> = {
  ReceiveWithAuthorization: 'Let the receiver take USDC',
  TransferWithAuthorization: 'Send USDC',
}

const membersOf = (type: UsdcAuthorizationType) =>
  type === 'ReceiveWithAuthorization'
    ? usdcAuthorizationTypes.ReceiveWithAuthorization.ReceiveWithAuthorization
    : usdcAuthorizationTypes.TransferWithAuthorization.TransferWithAuthorization

const fields: ClearSigningField[] = [
  // The contract of the domain is the token.
  {
    path: 'value',
    label: 'Amount',
    format: 'tokenAmount',
    params: { tokenPath: '@.to' },
    visible: 'always',
  },
  {
    path: 'to',
    label: 'To',
    format: 'addressName',
    params: { types: ['eoa', 'contract'], sources: ['local', 'ens'] },
    visible: 'always',
  },
  {
    path: 'validAfter',
    label: 'Valid after',
    format: 'date',
    params: { encoding: 'timestamp' },
    // 0 is no bound.
    visible: { ifNotIn: ['0'] },
  },
  sharedFields.end,
  sharedFields.nonce,
  sharedFields.wallet('from'),
]

/** Each message with the fields that a wallet shows. */
function testsOf({ chainId }: UsdcToken): ClearSigningFile['tests']['tests'] {
  const from: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const to: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const nonce: Hex = '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
  const authorization = { from, to, value: 4_000_000n, validAfter: 0n, validBefore: 1_800_000_600n, nonce }
  const last = [
    { label: 'Purchase', value: nonce },
    { label: 'Wallet', value: from },
  ]
  return [
    ...authorizations.map((type) => ({
      description: `${type} on chain ${chainId}`,
      data: asJson(usdcAuthorizationTypedData({ chainId, type, authorization })),
      expected: {
        intent: intentOf[type],
        owner,
        fields: [
          { label: 'Amount', value: '4 USDC' },
          { label: 'To', value: to },
          { label: 'Valid until', value: '2027-01-15 08:10:00Z' },
          ...last,
        ],
      },
    })),
    {
      description: `CancelAuthorization on chain ${chainId}`,
      data: asJson(cancelUsdcAuthorizationTypedData({ chainId, authorizer: from, nonce })),
      expected: { intent: cancelIntent, owner, fields: last },
    },
  ]
}
