import { parseAbi } from '../../evm/viem.ts'

/** What a dry run asks of the credits contract (PROTOCOL.md 6.2). */
export const creditsAbi = parseAbi([
  'struct Permit { address customerWallet; string creditSeed; uint256 amount; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct Intent { uint256 amount; uint256 usdcAmount; bytes32 salt; }',
  'struct Bridge { uint256 dstChainId; address dstToken; bool isNative; uint256 cost; }',
  'struct Settlement { uint8 kind; address target; bytes data; address nftContract; uint256 nftId; Bridge bridge; }',
  'struct UsdcAuthorization { uint8 method; bytes signature; }',
  'struct RedeemRequest { Permit permit; Intent intent; Settlement settlement; UsdcAuthorization usdcAuthorization; uint256 gasFee; }',
  'function redeem(RedeemRequest request)',
  'function whitelisted(string creditSeed, uint256 chainId, address target, bytes4 selector) view returns (bool allowed, uint256 minimumGas)',
  'event WhitelistSet(bytes32 indexed creditSeedHash, uint256 indexed chainId, address indexed target, string creditSeed, bytes4 selector, bool anySelector, bool allowed, uint256 minimumGas)',
])
