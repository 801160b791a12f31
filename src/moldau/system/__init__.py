"""The world for real: the only room that imports os, time, random, socket, threading or asyncio."""
