import { Address, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import type { Invocation } from '../envelope/parseInvocation.ts'
import { compare, type InspectionContext } from './context.ts'

/** Holds an authorized call, with the calls inside it, against the expected one. */
export function compareInvocation(
  context: InspectionContext,
  actual: Invocation,
  wanted: Invocation,
  field: string,
): void {
  compareCall(context, actual, wanted, field)
  const inner = actual.subInvocations
  compare(context, 'SUB_INVOCATION', `${field}.calls`, inner.length, wanted.subInvocations.length)
  inner.forEach((call, index) => {
    const wantedCall = wanted.subInvocations[index]
    if (wantedCall !== undefined) compareInvocation(context, call, wantedCall, `${field}.calls[${index}]`)
  })
}

/** Holds one call, without the calls inside it, against the expected one. */
export function compareCall(
  context: InspectionContext,
  actual: Invocation,
  wanted: Invocation,
  field: string,
): void {
  const isTransfer = wanted.contract === context.network.usdc.contract && wanted.functionName === 'transfer'
  const contractCode = isTransfer ? 'WRONG_ASSET' : 'WRONG_CONTRACT'
  compare(context, contractCode, `${field}.contract`, actual.contract, wanted.contract)
  compare(context, 'WRONG_FUNCTION', `${field}.functionName`, actual.functionName, wanted.functionName)
  const [actualArgs, wantedArgs] = [actual.args, wanted.args].map((args) => args.map(formatArgument))
  if (isTransfer && actual.args.length === 3)
    transferArguments.forEach(([name, code], index) => {
      const isRight = actual.args[index] === wanted.args[index]
      compare(context, code, `${field}.${name}`, actualArgs?.[index], wantedArgs?.[index], isRight)
    })
  else {
    const isRight = actual.args.join() === wanted.args.join()
    compare(context, 'WRONG_ARGUMENTS', `${field}.args`, actualArgs, wantedArgs, isRight)
  }
}

const transferArguments = [
  ['from', 'WRONG_ACCOUNT'],
  ['to', 'WRONG_ACCOUNT'],
  ['amount', 'WRONG_AMOUNT'],
] as const

/** An argument in words; its XDR when it is none of a transfer's. */
function formatArgument(arg: string): string {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const type = value.switch().name
  if (type === 'scvAddress') return Address.fromScVal(value).toString()
  return type === 'scvI128' ? scValToBigInt(value).toString() : arg
}
