// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Functions that no settlement may call, whatever a whitelist says
/// @dev The caller of a settlement holds other people's money and, for a moment, tokens. These functions hand out
/// rights over a caller's tokens, or move them.
library NeverList {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    function contains(bytes4 selector) internal pure returns (bool) {
        return _grantsRights(selector) || _movesTokens(selector);
    }

    function _grantsRights(bytes4 selector) private pure returns (bool) {
        return selector == 0x095ea7b3 // approve(address,uint256)
            || selector == 0x39509351 // increaseAllowance(address,uint256)
            || selector == 0xa457c2d7 // decreaseAllowance(address,uint256)
            || selector == 0xa22cb465 // setApprovalForAll(address,bool)
            || selector == 0xd505accf // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
            || selector == 0x9fd5a6cf // permit(address,address,uint256,uint256,bytes)
            || selector == 0x8fcbaf0c; // permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)
    }

    function _movesTokens(bytes4 selector) private pure returns (bool) {
        return selector == 0xa9059cbb // transfer(address,uint256)
            || selector == 0x23b872dd // transferFrom(address,address,uint256)
            || selector == 0x42842e0e // safeTransferFrom(address,address,uint256)
            || selector == 0xb88d4fde // safeTransferFrom(address,address,uint256,bytes)
            || selector == 0xf242432a // safeTransferFrom(address,address,uint256,uint256,bytes)
            || selector == 0x2eb2c2d6; // safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
    }
}
