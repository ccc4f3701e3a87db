// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Breaks one rule: sold as `normal`, it mints to its caller, where the token stays

contract NftStaysWithCaller is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Stays with caller", "STAYS") Payment(usdc_) {}

    /// @param receiver must not be zero, and gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "NftStaysWithCaller: no receiver");
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}
