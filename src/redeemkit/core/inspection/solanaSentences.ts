import type { CommonSentenceKey } from './commonEnglish.ts'
import type { InspectionSentence, InspectionValue } from './inspection.ts'

/** The English sentences of Solana alone. */
export const solanaSentences = {
  'account.assign': 'Gives control of your account to the program {owner}.',
  'account.authority': 'Gives control of your account {account} to {owner}.',
  'account.authorityOther': 'Gives control of the account {account} to {owner}.',
  'account.locked': 'Permanently gives up control of your account {account}.',
  'account.close': 'Closes your account {account} and sends what is in it to {to}.',
  mint: 'Issues {amount} to {to}.',
  'account.create': 'Creates the account {to} with {amount}, under the program {owner}.',
  'account.hidden': 'account {index} of the lookup table {table}',
  'account.assignOther': 'Puts the account {account} under the control of the program {owner}.',
  'account.space': 'Reserves space for the account {account}.',
  'account.token': 'Creates a token account for {owner}, paid by {payer}.',
  'account.tokenOwn': 'Creates a token account for you, at your cost.',
  'account.owner': 'Sets up the token account {account}, owned by {owner}.',
  'account.closeOwn': 'Closes the token account {account}. What is in it goes to your account.',
  'account.noCloser': 'Removes the right of another account to close the token account {account}.',
  'allow.account': 'Lets {spender} spend everything in the token account {account}.',
  'revoke.account': 'Revokes the right of another account to spend from the token account {account}.',
  freeze: 'Freezes the token account {account}.',
  thaw: 'Unfreezes the token account {account}.',
  'token.create': 'Creates the token {token}, which {owner} can issue.',
  'token.minter': 'Lets {owner} issue more of the token {account}.',
  'token.noMinter': 'Permanently ends the right to issue more of the token {account}.',
  'token.authority': 'Lets {owner} change a setting of the token {account}.',
  'token.noAuthority': 'Permanently ends the right to change a setting of the token {account}.',
  wrap: 'Moves {amount} into your account for wrapped SOL.',
  'wrap.sync': 'Updates the balance of the account {account} for wrapped SOL.',
  stake: 'Stakes {amount} with the validator {validator}.',
  'stake.account': 'Stakes the SOL of the account {account} with the validator {validator}.',
  'stake.owner': 'Sets up the stake account {account}, from which {owner} can withdraw.',
  'stake.withdraw': 'Withdraws {amount} from the stake account {account} to {to}.',
  'stake.move': 'Moves {amount} from the stake account {from} to the stake account {to}.',
  'stake.merge': 'Merges the stake account {from} into the stake account {to}.',
  'stake.authority': 'Lets {owner} withdraw everything from the stake account {account}.',
  'stake.staker': 'Lets {owner} choose the validator of the stake account {account}.',
  unstake: 'Starts to unstake the SOL of the stake account {account}.',
  durableNonce: 'Does not expire: it stays valid until the nonce of {account} is used.',
  'nonce.create': 'Sets up the nonce account {account}, controlled by {owner}.',
  'nonce.authority': 'Gives control of the nonce account {account} to {owner}.',
  compute: 'Sets the network fee and the computing limit.',
  assert: 'Fails if an account is not as expected.',
  instruction: 'Runs the instruction {name} of the program {program}.',
  'program.unknown': 'Calls the program {program}. Its effect is unknown.',
  'program.hidden': 'Contains instructions of the program {program} that cannot be read here.',
} as const

/** A sentence of Solana, with its English text unless all chains have it. */
export function solanaSentence(
  key: keyof typeof solanaSentences | CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence {
  const texts: Readonly<Partial<Record<string, string>>> = solanaSentences
  return { key, values, english: texts[key] }
}
