import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { cancelCreditPermitTypedData, cancelCreditPermitTypes } from '../creditPermit/cancelCreditPermit.ts'
import { creditPermitTypedData, creditPermitTypes } from '../creditPermit/creditPermit.ts'
import { checkChainId, checkText } from '../values.ts'
import {
  asJson,
  type ClearSigningFile,
  checkList,
  descriptorSchema,
  encodeType,
  sharedFields,
  testsSchema,
} from './clearSigningFile.ts'

/**
 * Returns a descriptor for wallets that render typed data by ERC-7730: the credit permits of your contracts, and their
 * cancellations. The nonce is shown as "Purchase".
 *
 * @returns plain JSON, schema 2.0.0, with a test of the registry for each deployment and message
 * @throws InvalidOptionError, InvalidRecordError, InvalidTextError, InvalidAddressError, InvalidChainIdError
 *
 * Source: ERC-7730.
 * @example
 * ```ts
 * import { creditPermitDescriptor } from 'redeemkit/evm'
 * const { name, descriptor, tests } = creditPermitDescriptor({
 *   owner: 'Moonrise Prints',
 *   url: 'https://moonrise.example',
 *   deployments: [{ chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
 * })
 * ```
 */
export function creditPermitDescriptor(options: creditPermitDescriptor.Options): ClearSigningFile {
  const { domainName = 'Credits', domainVersion = '1' } = checkOptions(options, {
    owner: 'string',
    url: 'string',
    deployments: 'any',
    domainName: 'string?',
    domainVersion: 'string?',
  })
  const owner = checkText(options.owner, 'owner')
  const deployments = checkList(options.deployments, 'deployments').map(({ chainId, address }, at) => ({
    chainId: checkChainId(chainId, `deployments[${at}].chainId`),
    address: checkNonZeroAddress(address, `deployments[${at}].address`),
  }))
  const domain = {
    name: checkText(domainName, 'domainName'),
    version: checkText(domainVersion, 'domainVersion'),
  }
  const { CreditsAuthorization: permit } = creditPermitTypes
  const { CancelCreditsAuthorization: cancellation } = cancelCreditPermitTypes
  const name = 'eip712-CreditsAuthorization'
  return {
    name,
    descriptor: {
      $schema: descriptorSchema,
      context: { eip712: { domain, deployments } },
      metadata: { owner, info: { url: checkText(options.url, 'url') } },
      display: {
        formats: {
          [encodeType('CreditsAuthorization', permit)]: {
            intent: permitIntent,
            fields: [
              {
                path: 'amount',
                label: 'At most',
                format: 'unit',
                params: { base: 'USD', decimals: 6 },
                visible: 'always',
              },
              { path: 'creditSeed', label: 'Credits of', format: 'raw', visible: 'always' },
              sharedFields.end,
              sharedFields.nonce,
              sharedFields.wallet('customerWallet'),
            ],
          },
          [encodeType('CancelCreditsAuthorization', cancellation)]: {
            intent: cancelIntent,
            fields: [sharedFields.nonce, sharedFields.wallet('customerWallet')],
          },
        },
      },
    },
    tests: {
      $schema: testsSchema,
      descriptor: `../${name}.json`,
      dataProvider: { tokens: {} },
      tests: deployments.flatMap(({ chainId, address }) =>
        testsOf({ ...domain, chainId, verifyingContract: address }, owner),
      ),
    },
  }
}

export declare namespace creditPermitDescriptor {
  type Options = {
    /** Display name of the company that runs the contracts. */
    owner: string
    /** The owner's website. */
    url: string
    /** The credits contracts. */
    deployments: readonly { chainId: number; address: Address }[]
    /** EIP-712 name of the contracts. Default `Credits`. */
    domainName?: string | undefined
    /** EIP-712 version of the contracts. Default `1`. */
    domainVersion?: string | undefined
  }
  type ReturnType = ClearSigningFile
  type ErrorType =
    | checkOptions.ErrorType
    | creditPermitTypedData.ErrorType
    | cancelCreditPermitTypedData.ErrorType
}

const permitIntent = 'Pay with credits'
const cancelIntent = 'Cancel a payment with credits'

/** A permit and a cancellation with what a wallet shows of them. */
function testsOf(
  domain: { name: string; version: string; chainId: number; verifyingContract: Address },
  owner: string,
): ClearSigningFile['tests']['tests'] {
  const customerWallet: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const nonce: Hex = '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6'
  const at = `on chain ${domain.chainId}`
  const permit = {
    customerWallet,
    creditSeed: 'shop',
    amount: 6_030_000n,
    validBefore: 1_800_000_600n,
    nonce,
  }
  return [
    {
      description: `Credit permit ${at}`,
      data: asJson(creditPermitTypedData({ domain, permit })),
      expected: {
        intent: permitIntent,
        owner,
        fields: [
          { label: 'At most', value: '6.03USD' },
          { label: 'Credits of', value: 'shop' },
          { label: 'Valid until', value: '2027-01-15 08:10:00Z' },
          { label: 'Purchase', value: nonce },
          { label: 'Wallet', value: customerWallet },
        ],
      },
    },
    {
      description: `Cancellation of a credit permit ${at}`,
      data: asJson(cancelCreditPermitTypedData({ domain, customerWallet, nonce })),
      expected: {
        intent: cancelIntent,
        owner,
        fields: [
          { label: 'Purchase', value: nonce },
          { label: 'Wallet', value: customerWallet },
        ],
      },
    },
  ]
}
