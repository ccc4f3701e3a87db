/** What an NFT contract calls of a receiver (ERC-721, ERC-1155). */
export const receiverHooks: readonly string[] = [
  '0x150b7a02', // onERC721Received(address,address,uint256,bytes)
  '0xf23a6e61', // onERC1155Received(address,address,uint256,uint256,bytes)
  '0xbc197c81', // onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)
]
