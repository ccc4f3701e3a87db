import type { Abi, Hex } from 'viem'
import { parseAmount } from '../../../redeemkit/core/amount/parseAmount.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidAddressError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { checkCallData } from '../../../redeemkit/evm/transactionData/contractCall.ts'
import { decent } from '../../../redeemkit/evm/transactionData/decent.ts'
import { knownTokenId } from '../../../redeemkit/evm/transactionData/knownTokenId.ts'
import { normal } from '../../../redeemkit/evm/transactionData/normal.ts'
import { returned } from '../../../redeemkit/evm/transactionData/returned.ts'
import { safeMint } from '../../../redeemkit/evm/transactionData/safeMint.ts'
import type { SettlementKind } from '../../../redeemkit/evm/transactionData/settlementKinds.ts'
import { token } from '../../../redeemkit/evm/transactionData/token.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/values/checkAddress.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { sandboxPeople } from '../../start/fundPeople.ts'
import { parseSignature } from './parseSignature.ts'
import { readArguments } from './readArguments.ts'
import type { AttemptOptions } from './redeemOptions.ts'

/** A redeem as it was typed. */
export type Attempt = {
  transactionData: TransactionData
  /** Raw units of USDC. */
  amount: bigint
  usdcAmount: bigint
  /** The function that was named, which names the call in a report. */
  abis: readonly Abi[]
}

/**
 * Reads which redeem is meant. Nothing is asked of anybody.
 *
 * @param people whose names are taken for their addresses
 * @throws {@link InvalidAttemptError} when options are missing, or do not go with the shape; InvalidAmountError,
 * InvalidAddressError, InvalidSignatureTextError, InvalidArgumentsError, and what the builders of the shapes throw
 */
export function readAttempt(options: AttemptOptions, people: Readonly<Record<string, Hex>>): Attempt {
  const amount = readDollars(options.amount, '--amount')
  if (amount === 0n)
    throw new InvalidAttemptError('A redeem of 0 spends nothing.', {
      field: '--amount',
      fix: 'Give a price above 0, such as 10.00.',
    })
  const usdcAmount = options.usdc === undefined ? 0n : readDollars(options.usdc, '--usdc')
  if (usdcAmount > amount)
    throw new InvalidAttemptError(
      `${options.usdc} in USDC are more than the ${options.amount} that it costs.`,
      {
        field: '--usdc',
        fix: 'Give at most what --amount says: USDC is a part of it.',
      },
    )
  const shape = options.shape as SettlementKind // commander has compared it with the table
  checkShape(shape, options)
  const transactionData = builders[shape](options, { people, amount })
  const abis = options.sig === undefined ? [] : [[parseSignature(options.sig, '--sig')]]
  return { transactionData, amount, usdcAmount, abis }
}

const readDollars = (text: string, field: string) => parseAmount(text, { decimals: 6, field })

const optionTypes = {
  sig: { flag: '--sig', shapes: ['normal', 'safeMint', 'returned', 'knownTokenId', 'decent'] },
  args: { flag: '--args', shapes: ['normal', 'safeMint', 'returned', 'knownTokenId', 'decent'] },
  data: { flag: '--data', shapes: ['normal', 'safeMint', 'returned', 'knownTokenId', 'decent'] },
  nftContract: { flag: '--nft-contract', shapes: ['safeMint', 'returned', 'knownTokenId'] },
  nftId: { flag: '--nft-id', shapes: ['knownTokenId'] },
  dstChain: { flag: '--dst-chain', shapes: ['decent'] },
  dstToken: { flag: '--dst-token', shapes: ['decent'] },
  dstCost: { flag: '--dst-cost', shapes: ['decent'] },
} as const satisfies Partial<
  Record<keyof AttemptOptions, { flag: string; shapes: readonly SettlementKind[] }>
>

/** Refuses an option that the shape would ignore. */
function checkShape(shape: SettlementKind, options: AttemptOptions): void {
  for (const [name, { flag, shapes }] of Object.entries(optionTypes)) {
    const isGiven = options[name as keyof typeof optionTypes] !== undefined // a key of the table
    if (!isGiven || (shapes as readonly string[]).includes(shape)) continue
    throw new InvalidAttemptError(`A redeem of shape ${shape} has no ${flag}.`, {
      field: flag,
      fix: `Leave it out, or name another shape: ${shapes.join(', ')}.`,
    })
  }
}

type Context = { people: Readonly<Record<string, Hex>>; amount: bigint }

const builders: Record<SettlementKind, (options: AttemptOptions, context: Context) => TransactionData> = {
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

function missing(shape: SettlementKind, flag: string, example: string): InvalidAttemptError {
  return new InvalidAttemptError(`A redeem of shape ${shape} needs ${flag}.`, {
    field: flag,
    fix: `Give it: ${flag} ${example}.`,
  })
}

function addressOf(text: string, field: string, { people }: Context): Hex {
  return readPerson(text, { people, field })
}

function nftContractOf({ nftContract }: AttemptOptions, context: Context): { nftContract?: Hex } {
  return nftContract === undefined ? {} : { nftContract: addressOf(nftContract, '--nft-contract', context) }
}

/** The contract and what it is called with: by a signature and arguments, or by bytes. */
function callOf(options: AttemptOptions, context: Context): { to: Hex; data: Hex } {
  const { sig, args, data, shape } = options
  const to = addressOf(options.to, '--to', context)
  if (sig !== undefined && data !== undefined)
    throw new InvalidAttemptError('The call is given twice, by --sig and by --data.', {
      field: '--data',
      fix: 'Give one of them.',
    })
  if (data !== undefined) {
    if (!/^0x/i.test(data))
      throw new InvalidAttemptError(`--data ${showValue(data)} is no call data.`, {
        field: '--data',
        fix: 'Give 0x and an even number of hexadecimal digits. The folder of a sandbox is named with --data-dir here.',
      })
    if (args === undefined) return { to, data: checkCallData(data, '--data') }
    throw new InvalidAttemptError('--args go with --sig, not with --data.', {
      field: '--args',
      fix: 'Give --sig and --args, or --data alone.',
    })
  }
  if (sig === undefined)
    throw new InvalidAttemptError(
      args === undefined
        ? `A redeem of shape ${shape} calls a contract, and no call is given.`
        : `The arguments ${showValue(args.join(' '))} have no function.`,
      { field: '--sig', fix: 'Give --sig "buy(address,uint256)" --args alice 10000000, or --data 0x….' },
    )
  const called = parseSignature(sig, '--sig')
  const values = readArguments(called, args ?? [], { people: context.people, field: '--args' })
  const abi: Abi = [called]
  const { transaction } = normal({ to, abi, functionName: called.name, args: values })
  return { to, data: transaction.data as Hex } // as it was encoded
}

/**
 * An address as it is typed: itself, or the name of a person.
 *
 * @throws InvalidAddressError
 */
export function readPerson(
  text: string,
  { people, field }: { people: Readonly<Record<string, Hex>>; field: string },
): Hex {
  if (Object.hasOwn(people, text)) return people[text] as Hex // it has it
  try {
    return checkNonZeroAddress(text, field)
  } catch (error) {
    const names = Object.keys(people)
    if (!(error instanceof InvalidAddressError) || /^0x/i.test(text) || names.length === 0) throw error
    const { shortMessage, docs } = error
    throw new InvalidAddressError(shortMessage, {
      field,
      fix: `Give 0x and 40 hexadecimal digits, or name one of ${names.join(', ')}.`,
      docs,
    })
  }
}

/** The people of every sandbox, by whose names their addresses may be typed. */
export function peopleAddresses(): Readonly<Record<string, Hex>> {
  return Object.fromEntries(Object.values(sandboxPeople()).map(({ name, address }) => [name, address]))
}

/** Options that say no redeem, or two. */
export class InvalidAttemptError extends BaseError {
  override readonly name = 'InvalidAttemptError'
}
