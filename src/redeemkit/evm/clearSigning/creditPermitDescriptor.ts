import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { cancelCreditPermitTypedData, cancelCreditPermitTypes } from '../creditPermit/cancelCreditPermit.ts'
import { creditPermitTypedData, creditPermitTypes, creditsDomain } from '../creditPermit/creditPermit.ts'
import { checkChainId, checkText } from '../values.ts'
import {
  type ClearSigningFile,
  checkList,
  clearSigningFile,
  example,
  sharedFields,
} from './clearSigningFile.ts'

/**
 * Returns an ERC-7730 descriptor, with which wallets render the credit permits of your contracts and their
 * cancellations. Wallets show the nonce with the label "Purchase".
 *
 * @returns plain JSON, schema 2.0.0, with a test in the registry's format for each deployment and message
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
  const { domainName = creditsDomain.name, domainVersion = creditsDomain.version } = checkOptions(options, {
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
  const { wallet: customerWallet, nonce, validBefore } = example
  const permit = { customerWallet, creditSeed: 'shop', amount: 6_030_000n, validBefore, nonce }
  const domains = deployments.map(({ chainId, address }) => ({
    ...domain,
    chainId,
    verifyingContract: address,
  }))
  return clearSigningFile({
    name: 'eip712-CreditsAuthorization',
    owner,
    url: checkText(options.url, 'url'),
    domain,
    deployments,
    tokens: {},
    messages: [
      {
        type: 'CreditsAuthorization',
        members: creditPermitTypes.CreditsAuthorization,
        intent: 'Pay with credits',
        fields: [
          {
            path: 'amount',
            label: 'At most',
            format: 'unit',
            params: { base: 'USD', decimals: usdcDecimals },
            visible: 'always',
          },
          { path: 'creditSeed', label: 'Credits of', format: 'raw', visible: 'always' },
          sharedFields.end,
          sharedFields.nonce,
          sharedFields.wallet('customerWallet'),
        ],
        description: 'Credit permit',
        examples: domains.map((at) => ({
          chainId: at.chainId,
          data: creditPermitTypedData({ domain: at, permit }),
        })),
        shown: {
          'At most': '6.03USD',
          'Credits of': 'shop',
          'Valid until': example.validUntil,
          Purchase: nonce,
          Wallet: customerWallet,
        },
      },
      {
        type: 'CancelCreditsAuthorization',
        members: cancelCreditPermitTypes.CancelCreditsAuthorization,
        intent: 'Cancel a payment with credits',
        fields: [sharedFields.nonce, sharedFields.wallet('customerWallet')],
        description: 'Cancellation of a credit permit',
        examples: domains.map((at) => ({
          chainId: at.chainId,
          data: cancelCreditPermitTypedData({ domain: at, customerWallet, nonce }),
        })),
        shown: { Purchase: nonce, Wallet: customerWallet },
      },
    ],
  })
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
  type ErrorType = checkOptions.ErrorType | creditPermitTypedData.ErrorType
}
