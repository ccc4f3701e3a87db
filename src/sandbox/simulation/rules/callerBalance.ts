import { type Hex, pad, toFunctionSelector } from 'viem'
import type { CallFrame } from '../redeemReport.ts'

/** Balances of ERC-20, ERC-721, ERC-1155 and the credits contract. */
const selectors: ReadonlySet<string> = new Set(
  [
    'balanceOf(address)',
    'balanceOf(address,uint256)',
    'creditsOf(string,address)',
    'getCreditsBalance(address,string)',
  ].map((signature) => toFunctionSelector(signature)),
)

/** Whether a call asks for a balance of an account. */
export const isBalanceOf = ({ type, input }: CallFrame, account: Hex) =>
  type === 'STATICCALL' &&
  selectors.has(input.slice(0, 10).toLowerCase()) &&
  input.toLowerCase().includes(pad(account).slice(2).toLowerCase())

export const readReceiver =
  'Read the balance of the receiver in the call data, not of msg.sender: msg.sender is the credits contract for every customer.'
