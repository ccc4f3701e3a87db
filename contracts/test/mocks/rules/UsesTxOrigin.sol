// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Breaks one rule: the receiver of the token depends on the sender of the transaction

contract UsesTxOrigin is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Uses the origin", "ORIGIN") Payment(usdc_) {}

    /// @param receiver must not be zero, and gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "UsesTxOrigin: no receiver");
        _pull(price);
        _mint(tx.origin, ++minted);
    }
}
