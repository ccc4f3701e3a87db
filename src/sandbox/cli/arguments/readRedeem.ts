import type { Abi, Hex } from 'viem'
import { parseAmount, usdcDecimals } from '../../../redeemkit/core/amount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidAddressError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import {
  decent,
  knownTokenId,
  normal,
  returned,
  safeMint,
  token,
} from '../../../redeemkit/evm/transactionData/builders.ts'
import { checkCallData } from '../../../redeemkit/evm/transactionData/contractCall.ts'
import { type SettlementKind, settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { parseSignature } from '../../parseSelector.ts'
import { sandboxAccounts } from '../../start/fundAccounts.ts'
import type { RedeemOptions } from '../options.ts'
import { readArguments } from './readArguments.ts'

export type TypedRedeem = {
  transactionData: TransactionData
  /** Price in raw units of USDC. */
  amount: bigint
  usdcAmount: bigint
  /** Contains the function given with `--sig`, which decodes the call in a report. */
  abis: readonly Abi[]
}

/** Makes no requests. `accounts` contains the test accounts' addresses by name. */
export function readRedeem(options: RedeemOptions, accounts: Readonly<Record<string, Hex>>): TypedRedeem {
  const amount = readDollars(options.amount, '--amount')
  if (amount === 0n)
    throw invalid('The amount of a redeem cannot be 0.', '--amount', 'Pass a price above 0, such as 10.00.')
  const usdcAmount = options.usdc === undefined ? 0n : readDollars(options.usdc, '--usdc')
  if (usdcAmount > amount)
    throw invalid(
      `The USDC part ${options.usdc} exceeds the price ${options.amount}.`,
      '--usdc',
      'Pass at most --amount: the USDC is part of it.',
    )
  const type = options.type as SettlementKind // commander has validated this option
  checkType(type, options)
  const transactionData = builders[type](options, { accounts, amount })
  const abis = options.sig === undefined ? [] : [[parseSignature(options.sig, '--sig')]]
  return { transactionData, amount, usdcAmount, abis }
}

const readDollars = (text: string, field: string) => parseAmount(text, { decimals: usdcDecimals, field })

// the table has one key for each type
const types = Object.keys(settlementShapes) as SettlementKind[]
const callTypes = types.filter((type) => settlementShapes[type].does !== 'transfer')

const optionTypes: Partial<Record<keyof RedeemOptions, { flag: string; types: SettlementKind[] }>> = {
  sig: { flag: '--sig', types: callTypes },
  args: { flag: '--args', types: callTypes },
  data: { flag: '--data', types: callTypes },
  nftContract: {
    flag: '--nft-contract',
    types: types.filter((type) => settlementShapes[type].nft !== 'none'),
  },
  nftId: { flag: '--nft-id', types: ['knownTokenId'] },
  dstChain: { flag: '--dst-chain', types: ['decent'] },
  dstToken: { flag: '--dst-token', types: ['decent'] },
  dstCost: { flag: '--dst-cost', types: ['decent'] },
}

/** Rejects an option that the type would ignore. */
function checkType(type: SettlementKind, options: RedeemOptions): void {
  for (const [name, { flag, types }] of Object.entries(optionTypes)) {
    const isGiven = options[name as keyof RedeemOptions] !== undefined
    if (!isGiven || types.includes(type)) continue
    throw invalid(
      `A redeem of type ${type} does not take ${flag}.`,
      flag,
      `Omit it, or use it with the types ${types.join(', ')}.`,
    )
  }
}

type Context = { accounts: Readonly<Record<string, Hex>>; amount: bigint }

const builders: Record<SettlementKind, (options: RedeemOptions, context: Context) => TransactionData> = {
  token: ({ to }, context) => token({ destination: addressOf(to, '--to', context) }),
  normal: (options, context) => normal(callOf(options, context)),
  safeMint: (options, context) =>
    safeMint({ ...callOf(options, context), ...nftContractOf(options, context) }),
  returned: (options, context) =>
    returned({ ...callOf(options, context), ...nftContractOf(options, context) }),
  knownTokenId: (options, context) => {
    const { nftContract, nftId } = options
    if (nftId === undefined) throw missing('knownTokenId', '--nft-id', '42')
    return knownTokenId({
      ...callOf(options, context),
      nftContract: addressOf(nftContract ?? options.to, '--nft-contract', context),
      nftId,
    })
  },
  decent: (options, context) => {
    const { dstChain, dstToken, dstCost } = options
    if (dstChain === undefined) throw missing('decent', '--dst-chain', '421614')
    const { to: contractAddress, data: contractData } = callOf(options, context)
    return decent({
      dstChainId: dstChain,
      dstToken:
        dstToken === undefined
          ? usdcToken({ chainId: dstChain }).address
          : addressOf(dstToken, '--dst-token', context),
      contractAddress,
      contractData,
      cost: {
        isNative: false,
        amount: dstCost === undefined ? context.amount : readDollars(dstCost, '--dst-cost'),
      },
    })
  },
}

function missing(type: SettlementKind, flag: string, example: string): InvalidRedeemOptionsError {
  return invalid(`A redeem of type ${type} needs ${flag}.`, flag, `Pass it, such as ${flag} ${example}.`)
}

const invalid = (message: string, field: string, fix: string) =>
  new InvalidRedeemOptionsError(message, { field, fix })

const addressOf = (text: string, field: string, { accounts }: Context) =>
  readAccount(text, { accounts, field })

function nftContractOf({ nftContract }: RedeemOptions, context: Context): { nftContract?: Hex } {
  return nftContract === undefined ? {} : { nftContract: addressOf(nftContract, '--nft-contract', context) }
}

/** The call data comes from a function signature with arguments, or from hex. */
function callOf(options: RedeemOptions, context: Context): { to: Hex; data: Hex } {
  const { sig, args, data, type } = options
  const to = addressOf(options.to, '--to', context)
  if (sig !== undefined && data !== undefined)
    throw invalid('--sig and --data were both given.', '--data', 'Pass only one of them.')
  if (data !== undefined) {
    if (!/^0x/i.test(data))
      throw invalid(
        `--data ${showValue(data)} is not call data.`,
        '--data',
        'Pass 0x and an even number of hexadecimal digits. For the folder of a sandbox, use --data-dir.',
      )
    if (args === undefined) return { to, data: checkCallData(data, '--data') }
    throw invalid(
      '--args cannot be combined with --data.',
      '--args',
      'Pass --sig with --args, or --data alone.',
    )
  }
  if (sig === undefined)
    throw invalid(
      args === undefined
        ? `A redeem of type ${type} calls a contract, but no call was given.`
        : `The arguments ${showValue(args.join(' '))} were given without a function.`,
      '--sig',
      'Pass --sig "buy(address,uint256)" --args alice 10000000, or --data 0x….',
    )
  if (/^0x/i.test(sig))
    throw invalid(
      `${showValue(sig)} is a selector, which does not contain the types.`,
      '--sig',
      'Pass the signature, such as "buy(address,uint256)", or the whole call data: --data 0x….',
    )
  const called = parseSignature(sig, '--sig')
  const values = readArguments(called, args ?? [], { accounts: context.accounts, field: '--args' })
  const abi: Abi = [called]
  const { transaction } = normal({ to, abi, functionName: called.name, args: values })
  return { to, data: transaction.data as Hex }
}

export function readAccount(
  text: string,
  { accounts, field }: { accounts: Readonly<Record<string, Hex>>; field: string },
): Hex {
  if (Object.hasOwn(accounts, text)) return accounts[text] as Hex
  try {
    return checkNonZeroAddress(text, field)
  } catch (error) {
    const names = Object.keys(accounts)
    if (!(error instanceof InvalidAddressError) || /^0x/i.test(text) || names.length === 0) throw error
    const { shortMessage, source } = error
    throw new InvalidAddressError(shortMessage, {
      field,
      fix: `Pass 0x and 40 hexadecimal digits, or one of ${names.join(', ')}.`,
      source,
    })
  }
}

export function testAccountAddresses(): Readonly<Record<string, Hex>> {
  return Object.fromEntries(Object.values(sandboxAccounts()).map(({ name, address }) => [name, address]))
}

export class InvalidRedeemOptionsError extends BaseError {
  override readonly name = 'InvalidRedeemOptionsError'
}
