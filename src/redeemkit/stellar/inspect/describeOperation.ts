import { oneLine } from '../../core/errors/oneLine.ts'
import type { InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import { addressValue, line, sentence, textValue } from '../../core/inspection/values.ts'
import type { InspectedOperation, InspectionContext } from './context.ts'
import { formatOperation } from './operations.ts'

/** Describes an operation in words, and says whether no page may ask for it. */
export function describeOperation(
  operation: InspectedOperation,
  { network, address, known = {} }: Pick<InspectionContext, 'network' | 'address' | 'known'>,
): { sentence: InspectionSentence; lines: InspectionLine[]; isBad: boolean } {
  const { type, source, payment, call, mergesInto, addsSigner } = operation
  const named = (account: string) => addressValue(account, known[account])
  if (payment !== undefined) {
    const [code = '', issuer = ''] = payment.asset.split(':')
    const { usdc } = network
    const isKnown = payment.asset === 'native' || (code === usdc.code && issuer === usdc.issuer)
    const values = {
      // an asset of another issuer may have any name
      amount: {
        type: 'amount',
        amount: payment.amount,
        decimals: 7,
        symbol: payment.asset === 'native' ? 'XLM' : isKnown ? code : undefined,
        token: issuer,
      } as const,
      to: named(payment.to),
    }
    return {
      sentence:
        source === address
          ? sentence('send', values)
          : sentence('sendFrom', { ...values, from: named(source) }),
      lines: [
        line('receiver', values.to),
        ...(issuer === '' ? [] : [line('token', textValue(oneLine(payment.asset)))]),
      ],
      isBad: false,
    }
  }
  if (mergesInto !== undefined)
    return {
      sentence: sentence('account.merge', { to: named(mergesInto) }),
      lines: [line('receiver', named(mergesInto))],
      isBad: true,
    }
  if (type === 'setOptions')
    return {
      sentence:
        addsSigner === undefined
          ? sentence('account.options')
          : sentence('account.signer', { owner: named(addsSigner) }),
      lines: addsSigner === undefined ? [] : [line('signer', named(addsSigner))],
      isBad: true,
    }
  return {
    sentence: sentence('plain', { text: textValue(oneLine(formatOperation(operation, network))) }),
    lines: call === undefined ? [] : [line('contract', named(call.contract))],
    isBad: false,
  }
}
