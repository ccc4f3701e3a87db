/**
 * The errors that a redeem can meet in our own contracts, as Solidity writes them (PROTOCOL.md 6), and those of Solidity
 * itself. What only an administrator meets is left out.
 */
export const knownErrors = [
  'Error(string reason)',
  'Panic(uint256 code)',
  // Credits
  'PermitExpired(uint256 validBefore,uint256 timestamp)',
  'InvalidPermitSignature(address customerWallet,bytes32 digest)',
  'InvalidCancelSignature(address customerWallet,bytes32 digest)',
  'NonceAlreadyUsed(address customerWallet,bytes32 nonce,uint8 state)',
  'IntentMismatch(bytes32 nonce,bytes32 expected)',
  'UnboundPermitNotAllowed(string creditSeed,address relayer)',
  'SaltNotAllowed(bytes32 salt)',
  'ZeroAmount()',
  'ZeroAddress(string field)',
  'UsdcAmountExceedsAmount(uint256 usdcAmount,uint256 amount)',
  'ExceedsAuthorized(uint256 charged,uint256 authorized)',
  'InsufficientCredits(string creditSeed,address wallet,uint256 balance,uint256 needed)',
  'GasFeeNotAllowed(address relayer,uint256 gasFee)',
  'MissingUsdcAuthorization()',
  'UnexpectedUsdcAuthorization()',
  'InvalidV1SignatureLength(uint256 length)',
  'UnexpectedField(uint8 kind,string field)',
  'ForbiddenTarget(address target)',
  'ForbiddenSelector(bytes4 selector)',
  'TargetWithoutCode(address target)',
  'NotWhitelisted(string creditSeed,uint256 chainId,address target,bytes4 selector)',
  'NftContractNotWhitelisted(string creditSeed,address nftContract)',
  'InsufficientGas(uint256 available,uint256 minimum)',
  'CallFailed(address target,bytes reason)',
  'NoTokensArrived(address nftContract)',
  'TooManyTokens(uint256 maximum)',
  'UnexpectedToken(address sender)',
  'TokenNotReceived(address nftContract,uint256 nftId)',
  'TokenAlreadyOwned(address nftContract,uint256 nftId)',
  'TokenIdNotReturned(uint256 length)',
  'TooManyCredits(uint256 owed,uint256 maximum)',
  'Insolvent(uint256 balance,uint256 owed)',
  'AuthorizationAlreadyCredited(address from,bytes32 nonce)',
  'TransferredAmountMismatch(uint256 received,uint256 expected)',
  'BatchLengthMismatch(uint256 items,uint256 gasLimits)',
  'OnlySelf(address caller)',
  'BridgeAdapterNotSet()',
  'EnforcedPause()',
  // BridgeAdapter
  'UnknownRoute(uint256 dstChainId,address dstToken)',
  'CostNotCovered(uint256 cost,uint256 covered)',
] as const

/** What the codes of `Panic` mean, as Solidity's documentation has them. */
export const panics: Readonly<Record<number, string>> = {
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'a number that is no value of the enum',
  34: 'storage that is encoded wrongly',
  49: 'pop of an empty list',
  50: 'an index out of the list',
  65: 'too much memory',
  81: 'a call of an empty function variable',
}
