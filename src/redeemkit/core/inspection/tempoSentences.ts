export const tempoSentences = {
  // Calls
  'call.empty': 'Calls {contract} without data.',
  'call.asToken': '{call} This is true only if {contract} is a token, which was not checked.',
  'call.asCredits': '{call} This is true only if {contract} is a credits contract, which was not checked.',

  // Permits of other accounts
  'permit.other': 'Uses a permit of {owner} that lets {spender} spend up to {amount}.',
  'permit.otherAll':
    'Uses a permit of {owner} that lets {spender} spend all tokens that {owner} has of the contract {contract}.',
  'permit.otherNone':
    'Uses a permit of {owner} that revokes the right of {spender} to spend tokens of the contract {contract}.',

  // Access keys
  'key.add': 'Lets the access key {key} act for your account.',
  'key.revoke': 'Permanently revokes the access key {key}.',
  'key.calls': 'Changes which calls the access key {key} may make.',
  'key.spend': 'Lets the access key {key} spend {amount}.',
  'key.spendUpTo': 'Lets the access key {key} spend up to {amount}.',
  'key.spendNone': 'Stops the access key {key} from spending your tokens of the contract {contract}.',

  // Credits
  'credits.any': '{amount} of credits',
  'credits.named': '{amount} of the {balance} credits',
  'credits.own': '{amount} of your {balance} credits',
  'credits.other': '{amount} of the {balance} credits of {wallet}',
  'redeem.pay': 'Pays {amount} to {to} with {sources}.',
  'redeem.call': 'Calls {contract} with up to {amount}, paid with {sources}.',
  'redeem.batch': 'Submits several payments, each signed by its customer.',
  'fees.withdraw': "Pays the collected fees to the contract's fee recipient.",

  // Network fees
  'fee.token': 'Pays your network fees in {token} from now on.',
  'fee.open': 'not set yet',
  'fee.signer': 'the account that signs',
  'fee.unsigned': 'a sponsor; no sponsor has signed yet',
  'fee.unreadable': 'a sponsor, whose signature cannot be read',
  'fee.chainToken': 'The chain chooses the token for the network fee.',
  'fee.notCompared': 'The fee payer was not compared with an expected sponsor.',
} as const
