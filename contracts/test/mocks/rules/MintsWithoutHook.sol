// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Breaks one rule: sold as `safeMint`, it mints to its caller without the receiver hook

contract MintsWithoutHook is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Mints without hook", "HOOKLESS") Payment(usdc_) {}

    function mint(uint256 price) external {
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}
