/** Part of the credits contract's ABI (PROTOCOL.md 6.2), as JSON so that viem's `parseAbi` is not bundled. */
export const creditsAbi = [
  {
    type: 'function',
    name: 'redeem',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'request',
        type: 'tuple',
        components: [
          {
            name: 'permit',
            type: 'tuple',
            components: [
              { name: 'customerWallet', type: 'address' },
              { name: 'creditSeed', type: 'string' },
              { name: 'amount', type: 'uint256' },
              { name: 'validBefore', type: 'uint256' },
              { name: 'nonce', type: 'bytes32' },
              { name: 'signature', type: 'bytes' },
            ],
          },
          {
            name: 'intent',
            type: 'tuple',
            components: [
              { name: 'amount', type: 'uint256' },
              { name: 'usdcAmount', type: 'uint256' },
              { name: 'salt', type: 'bytes32' },
            ],
          },
          {
            name: 'settlement',
            type: 'tuple',
            components: [
              { name: 'kind', type: 'uint8' },
              { name: 'target', type: 'address' },
              { name: 'data', type: 'bytes' },
              { name: 'nftContract', type: 'address' },
              { name: 'nftId', type: 'uint256' },
              {
                name: 'bridge',
                type: 'tuple',
                components: [
                  { name: 'dstChainId', type: 'uint256' },
                  { name: 'dstToken', type: 'address' },
                  { name: 'isNative', type: 'bool' },
                  { name: 'cost', type: 'uint256' },
                ],
              },
            ],
          },
          {
            name: 'usdcAuthorization',
            type: 'tuple',
            components: [
              { name: 'method', type: 'uint8' },
              { name: 'signature', type: 'bytes' },
            ],
          },
          { name: 'gasFee', type: 'uint256' },
        ],
      },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'whitelisted',
    stateMutability: 'view',
    inputs: [
      { name: 'creditSeed', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'target', type: 'address' },
      { name: 'selector', type: 'bytes4' },
    ],
    outputs: [
      { name: 'allowed', type: 'bool' },
      { name: 'minimumGas', type: 'uint256' },
    ],
  },
  {
    type: 'event',
    name: 'WhitelistSet',
    inputs: [
      { name: 'creditSeedHash', type: 'bytes32', indexed: true },
      { name: 'chainId', type: 'uint256', indexed: true },
      { name: 'target', type: 'address', indexed: true },
      { name: 'creditSeed', type: 'string' },
      { name: 'selector', type: 'bytes4' },
      { name: 'anySelector', type: 'bool' },
      { name: 'allowed', type: 'bool' },
      { name: 'minimumGas', type: 'uint256' },
    ],
  },
] as const
