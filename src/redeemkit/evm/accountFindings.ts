import { showValue } from '../core/errors/showValue.ts'
import { type Finding, finding } from '../core/finding/finding.ts'

/**
 * A finding when the account that a wallet request asks to sign is not the expected one.
 *
 * @param asked as the request names it
 * @param options.signer whose signature the content needs, if it names one
 * @param options.address the wallet's account, if the caller gave it
 */
export function accountFindings(
  asked: unknown,
  { signer, address }: { signer?: string | undefined; address?: string | undefined },
): Finding[] {
  const named = typeof asked === 'string' ? asked.toLowerCase() : undefined
  const differs = (one: string | undefined) => one !== undefined && one.toLowerCase() !== named
  const other = [address, signer].find(differs)
  if (other === undefined) return []
  return [
    finding(
      'danger',
      'WRONG_ACCOUNT',
      `The request asks the account ${showValue(asked)} to sign, not ${showValue(other)}.`,
      { field: 'params', fix: `The account must be ${other}.` },
    ),
  ]
}
