import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount.ts'
import {
  cancelUsdcAuthorizationTypedData,
  cancelUsdcAuthorizationTypes,
} from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import {
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
  usdcAuthorizationTypes,
} from '../usdcAuthorization/usdcAuthorization.ts'
import { type UsdcToken, usdcToken, usdcVersion } from '../usdcToken.ts'
import {
  type ClearSigningField,
  type ClearSigningFile,
  type ClearSigningMessage,
  checkList,
  clearSigningFile,
  example,
  sharedFields,
} from './clearSigningFile.ts'

/**
 * Returns ERC-7730 descriptors, with which wallets render USDC authorizations (EIP-3009) and their cancellations on the given
 * networks. USDC has two EIP-712 names; each name has its own descriptor. Wallets show the nonce with the label "Purchase".
 *
 * @param networks for example the exported `networks`; networks without USDC are skipped
 * @returns plain JSON, schema 2.0.0, with a test in the registry's format for each network and message
 * @throws InvalidRecordError for an empty list; UnknownNetworkError for a chain that the service does not support
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
  type ErrorType = usdcAuthorizationTypedData.ErrorType
}

function fileOf(domainName: string, tokens: readonly UsdcToken[]): ClearSigningFile {
  const named = { symbol: 'USDC', decimals: usdcDecimals, name: domainName }
  return clearSigningFile({
    name: `eip712-Authorization-${domainName.replaceAll(' ', '-')}`,
    owner: 'Circle Internet Financial',
    url: 'https://www.circle.com/',
    domain: { name: domainName, version: usdcVersion },
    deployments: tokens.map(({ chainId, address }) => ({ chainId, address })),
    tokens: Object.fromEntries(tokens.map(({ address }) => [address.toLowerCase(), named])),
    messages: [
      authorizationMessage(tokens, {
        type: 'ReceiveWithAuthorization',
        members: usdcAuthorizationTypes.ReceiveWithAuthorization.ReceiveWithAuthorization,
        intent: 'Let the receiver take USDC',
      }),
      authorizationMessage(tokens, {
        type: 'TransferWithAuthorization',
        members: usdcAuthorizationTypes.TransferWithAuthorization.TransferWithAuthorization,
        intent: 'Send USDC',
      }),
      {
        type: 'CancelAuthorization',
        members: cancelUsdcAuthorizationTypes.CancelAuthorization,
        intent: 'Cancel a USDC authorization',
        fields: [sharedFields.nonce, sharedFields.wallet('authorizer')],
        description: 'CancelAuthorization',
        examples: tokens.map(({ chainId }) => ({
          chainId,
          data: cancelUsdcAuthorizationTypedData({
            chainId,
            authorizer: example.wallet,
            nonce: example.nonce,
          }),
        })),
        shown: { Purchase: example.nonce, Wallet: example.wallet },
      },
    ],
  })
}

function authorizationMessage(
  tokens: readonly UsdcToken[],
  message: Pick<ClearSigningMessage, 'members' | 'intent'> & { type: UsdcAuthorizationType },
): ClearSigningMessage {
  const to: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const { type } = message
  const { wallet, nonce, validBefore } = example
  const authorization = { from: wallet, to, value: 4_000_000n, validAfter: 0n, validBefore, nonce }
  return {
    ...message,
    fields,
    description: type,
    examples: tokens.map(({ chainId }) => ({
      chainId,
      data: usdcAuthorizationTypedData({ chainId, type, authorization }),
    })),
    shown: {
      Amount: '4 USDC',
      To: to,
      'Valid until': example.validUntil,
      Purchase: nonce,
      Wallet: wallet,
    },
  }
}

const fields: ClearSigningField[] = [
  // the domain's verifying contract is the token
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
    // validAfter 0 means no start time, so it is hidden
    visible: { ifNotIn: ['0'] },
  },
  sharedFields.end,
  sharedFields.nonce,
  sharedFields.wallet('from'),
]
