// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Announces a token, and fails with 300,000 bytes on every other call
contract BombNft {
    function buy() external {
        IERC721Receiver(msg.sender).onERC721Received(address(this), address(0), 5, "");
    }

    fallback() external {
        assembly {
            revert(mload(0x40), 300000)
        }
    }
}
