// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Sells tickets that cannot leave the account that they were minted to (EIP-5192)
contract LockedTicket is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Locked ticket", "LOCK") Payment(usdc_) {}

    /// @param price pulled from the caller, in raw units
    function buy(address receiver, uint256 price) external {
        _pull(price);
        _safeMint(receiver, ++minted);
    }

    function buyForMyself(uint256 price) external {
        _pull(price);
        _safeMint(msg.sender, ++minted);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        require(from == address(0), "LockedTicket: stays where it is");
    }
}
