// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {ICredits} from "./ICredits.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {SlotDerivation} from "@openzeppelin/contracts/utils/SlotDerivation.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title Accepts NFTs only while a redeem waits for them
/// @dev Lists the arrived tokens in transient storage until they are forwarded. Rejects tokens at other times, because
/// they would have no owner here.
abstract contract TokenReceiver is IERC721Receiver, IERC1155Receiver {
    using SlotDerivation for bytes32;
    using TransientSlot for *;

    uint256 internal constant MAX_TOKENS = 16;
    uint256 internal constant MAX_CALL_REASON = 1024;

    // keccak256(abi.encode(uint256(keccak256("redeemkit.credits.arrived")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant ARRIVED = 0xca230aa8529ac84916fe3736cbb33bbbea4149455b8940e788add48d17475700;

    address private transient _awaited;
    uint256 private transient _count;

    /// @inheritdoc IERC721Receiver
    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external returns (bytes4) {
        _note(tokenId, 0);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256 id, uint256 value, bytes calldata) external returns (bytes4) {
        _note1155(id, value);
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata ids, uint256[] calldata values, bytes calldata)
        external
        returns (bytes4)
    {
        for (uint256 i = 0; i < ids.length; ++i) {
            _note1155(ids[i], values[i]);
        }
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @dev Starts accepting tokens of `nftContract`.
    function _awaitTokens(address nftContract) internal {
        _awaited = nftContract;
    }

    /// @dev Stops accepting tokens.
    /// @return count the number of tokens that arrived
    function _stopAwaiting() internal returns (uint256 count) {
        count = _count;
        _count = 0;
        _awaited = address(0);
    }

    /// @dev Forwards the first `count` arrived tokens. Uses `transferFrom` for ERC-721, because some receivers do not implement the hook.
    function _forwardArrived(address nftContract, uint256 count, address to) internal {
        for (uint256 i = 0; i < count; ++i) {
            (uint256 id, uint256 value) = _arrived(i);
            if (value == 0) _forward721(nftContract, id, to);
            else _callNft(nftContract, abi.encodeCall(IERC1155.safeTransferFrom, (address(this), to, id, value, "")));
        }
    }

    function _forward721(address nftContract, uint256 id, address to) internal {
        _callNft(nftContract, abi.encodeCall(IERC721.transferFrom, (address(this), to, id)));
    }

    /// @dev NFT contracts are untrusted, so only a bounded part of their revert data is copied.
    function _callNft(address nftContract, bytes memory data) private {
        (bool success,,) = BoundedCall.call(nftContract, 0, gasleft(), data);
        if (!success) revert ICredits.CallFailed(nftContract, BoundedCall.answer(MAX_CALL_REASON));
    }

    /// @dev Returns the number of tokens that have arrived.
    function _arrivedCount() internal view returns (uint256) {
        return _count;
    }

    /// @dev Returns an arrived token. A `value` of zero means ERC-721.
    function _arrived(uint256 index) internal view returns (uint256 id, uint256 value) {
        bytes32 slot = ARRIVED.offset(index * 2);
        return (slot.asUint256().tload(), slot.offset(1).asUint256().tload());
    }

    function _note1155(uint256 id, uint256 value) private {
        // A transfer of zero units is not listed. It reverts unless it comes from the expected contract.
        if (value == 0) _requireAwaited();
        else _note(id, value);
    }

    function _note(uint256 id, uint256 value) private {
        _requireAwaited();
        uint256 index = _count;
        if (index == MAX_TOKENS) revert ICredits.TooManyTokens(MAX_TOKENS);
        bytes32 slot = ARRIVED.offset(index * 2);
        slot.asUint256().tstore(id);
        slot.offset(1).asUint256().tstore(value);
        _count = index + 1;
    }

    function _requireAwaited() private view {
        if (msg.sender != _awaited) revert ICredits.UnexpectedToken(msg.sender);
    }
}
